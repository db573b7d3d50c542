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

/// A PNG picture that is being decoded. Only the data that its header announces is inflated.
typedef struct cpictures_png cpictures_png;

/// Reads the header of a PNG picture. Returns NULL if it is invalid or there is no memory. The bytes must exist until
/// the picture is closed.
cpictures_png *cpictures_png_open(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Decodes the next `count` rows to `pixels`, which are those of the whole picture: 4 bytes a pixel, which are red, green,
/// blue and opacity, and 0 at first. A picture that is interlaced has several passes over all rows. Returns 1 if there
/// are more rows, 0 if the picture is complete, or -1 if it is damaged.
int cpictures_png_read(cpictures_png *file, uint8_t *pixels, uint32_t count);

void cpictures_png_close(cpictures_png *file);

#endif
