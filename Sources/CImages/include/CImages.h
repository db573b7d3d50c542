#ifndef MARVEL_RPC_CIMAGES_H
#define MARVEL_RPC_CIMAGES_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>
#include <turbojpeg.h>

/// Reads the size of a JPEG picture from its header. Returns 0, or -1 if the header is invalid or the colors are CMYK
/// or YCCK.
int cimages_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height);

/// Decodes a JPEG picture to `pixels`: 4 bytes a pixel, which are red, green, blue and 255. The size must be the one
/// that `cimages_jpeg_size` returned. Returns 0, or -1 if the picture is damaged.
int cimages_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height);

/// A PNG picture that is being decoded. Only the data that its header announces is inflated.
typedef struct cimages_png cimages_png;

/// Reads the header of a PNG picture. Returns NULL if it is invalid or there is no memory. The bytes must exist until
/// the picture is closed.
cimages_png *cimages_png_open(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Decodes the next `count` rows to `pixels`, which are those of the whole picture: 4 bytes a pixel, which are red, green,
/// blue and opacity, and 0 at first. A picture that is interlaced has several passes over all rows. Returns 1 if there
/// are more rows, 0 if the picture is complete, or -1 if it is damaged.
int cimages_png_read(cimages_png *file, uint8_t *pixels, uint32_t count);

void cimages_png_close(cimages_png *file);

/// Returns the maximum size of the file that `cimages_png_write` makes of a picture of that size, in bytes.
size_t cimages_png_maximum_size(uint32_t width, uint32_t height, uint32_t color_count);

/// Encodes a picture with a palette as a PNG file.
///
/// `colors` has 3 bytes a color, which are red, green and blue, and `pixels` the index of a color for each pixel, row by
/// row from the top left. `file` has room for `*byte_count` bytes, which becomes the size of the file. Returns 0, or -1
/// if the room or the memory is not enough.
int cimages_png_write(uint32_t width, uint32_t height, const uint8_t *colors, uint32_t color_count,
                      const uint8_t *pixels, uint8_t *file, size_t *byte_count);

#endif
