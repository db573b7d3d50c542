#ifndef MARVEL_RPC_CPICTURES_H
#define MARVEL_RPC_CPICTURES_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>

/// Reads the size of a JPEG picture from its header. Returns 0, or -1 if the header is invalid or the colors are CMYK
/// or YCCK.
int cpictures_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height);

/// Decodes a JPEG picture to `pixels`: 4 bytes a pixel, which are red, green, blue and 255. The size must be the one
/// that `cpictures_jpeg_size` returned. Returns 0, or -1 if the picture is damaged.
int cpictures_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height);

/// Reads the size of a PNG picture from its header. Returns 0, or -1 if the header is invalid.
int cpictures_png_size(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Decodes a PNG picture to `pixels`: 4 bytes a pixel, which are red, green, blue and opacity. Returns 0, or -1 if the
/// picture is damaged or has another size than the given one.
int cpictures_png_read(const uint8_t *bytes, size_t count, uint8_t *pixels, uint32_t width, uint32_t height);

#endif
