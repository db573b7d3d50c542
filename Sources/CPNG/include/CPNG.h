#ifndef MARVEL_RPC_CPNG_H
#define MARVEL_RPC_CPNG_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the maximum size of the file that `cpng_write` makes of a picture of that size, in bytes.
size_t cpng_maximum_size(uint32_t width, uint32_t height, uint32_t color_count);

/// Encodes a picture with a palette as a PNG file.
///
/// `colors` has 3 bytes a color, which are red, green and blue, and `pixels` the index of a color for each pixel, row by
/// row from the top left. `file` has room for `*byte_count` bytes, which becomes the size of the file. Returns 0, or -1
/// if the room or the memory is not enough.
int cpng_write(uint32_t width, uint32_t height, const uint8_t *colors, uint32_t color_count, const uint8_t *pixels,
               uint8_t *file, size_t *byte_count);

#endif
