#include "CZlib.h"

int czlib_begin_gzip(z_stream *stream, int level) {
    // The largest window, plus 16: a gzip header and trailer instead of zlib's own.
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

int czlib_begin_gunzip(z_stream *stream) {
    // The gzip format alone: zlib's own would be another checksum, and a raw stream has none.
    return inflateInit2(stream, MAX_WBITS + 16);
}
