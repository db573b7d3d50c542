#include "CImages.h"

#include <string.h>

// The simplified API of libpng handles its own errors, so no `setjmp` is needed here.
static png_image palette_image(uint32_t width, uint32_t height, uint32_t color_count) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = color_count;
    // The lowest levels of compression, which is enough for areas of one color.
    image.flags = PNG_IMAGE_FLAG_FAST;
    return image;
}

size_t cimages_png_maximum_size(uint32_t width, uint32_t height, uint32_t color_count) {
    png_image image = palette_image(width, height, color_count);
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

int cimages_png_write(uint32_t width, uint32_t height, const uint8_t *colors, uint32_t color_count,
                      const uint8_t *pixels, uint8_t *file, size_t *byte_count) {
    png_image image = palette_image(width, height, color_count);
    png_alloc_size_t size = *byte_count;
    int is_written = png_image_write_to_memory(&image, file, &size, 0, pixels, 0, colors);
    png_image_free(&image);
    *byte_count = size;
    return is_written != 0 ? 0 : -1;
}
