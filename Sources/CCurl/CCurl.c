// The wrappers are inline in the header; a C target needs a source file.
#include "CCurl.h"
