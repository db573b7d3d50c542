#ifndef MARVEL_RPC_CPICTURES_H
#define MARVEL_RPC_CPICTURES_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>

/// How large a JPEG picture says it is: 0, or -1 if that cannot be read, or its colors are those of printers.
int cpictures_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height);

/// Writes its pixels to `pixels`, 4 bytes for each, red, green, blue and 255: 0, or -1 if it is damaged. The size is
/// what `cpictures_jpeg_size` said.
int cpictures_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height);

/// How large a PNG picture says it is: 0, or -1 if that cannot be read.
int cpictures_png_size(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Writes its pixels to `pixels`, 4 bytes for each, red, green, blue and opacity: 0, or -1 if it is damaged, or has
/// another size than the given one.
int cpictures_png_read(const uint8_t *bytes, size_t count, uint8_t *pixels, uint32_t width, uint32_t height);

#endif
