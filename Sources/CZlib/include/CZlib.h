#ifndef MARVEL_RPC_CZLIB_H
#define MARVEL_RPC_CZLIB_H

#include <zlib.h>

/// Prepares `stream` to write the gzip format. `deflateInit2` is a macro, which Swift cannot see.
///
/// Returns `Z_OK`, or why not; on `Z_OK` the caller owes one `deflateEnd`.
int czlib_begin_gzip(z_stream *stream, int level);

/// Prepares `stream` to read the gzip format. `inflateInit2` is a macro, too.
///
/// Returns `Z_OK`, or why not; on `Z_OK` the caller owes one `inflateEnd`.
int czlib_begin_gunzip(z_stream *stream);

#endif
