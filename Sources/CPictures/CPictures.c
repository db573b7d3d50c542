#include "CPictures.h"

#include <string.h>

int cpictures_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return -1;
    int subsampling = 0, colors = 0;
    int result = tjDecompressHeader3(handle, bytes, count, width, height, &subsampling, &colors);
    tjDestroy(handle);
    return result == 0 && colors != TJCS_CMYK && colors != TJCS_YCCK ? 0 : -1;
}

int cpictures_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return -1;
    // Without a limit, a small file with very many scans could take minutes to decode.
    int flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
    int result = tjDecompress2(handle, bytes, count, pixels, width, 0, height, TJPF_RGBA, flags);
    tjDestroy(handle);
    return result;
}

// The simplified API of libpng handles its own errors, so no `setjmp` is needed here.
static int begin_png(png_image *image, const uint8_t *bytes, size_t count) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    return png_image_begin_read_from_memory(image, bytes, count) != 0 ? 0 : -1;
}

int cpictures_png_size(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    png_image image;
    int result = begin_png(&image, bytes, count);
    *width = image.width;
    *height = image.height;
    png_image_free(&image);
    return result;
}

int cpictures_png_read(const uint8_t *bytes, size_t count, uint8_t *pixels, uint32_t width, uint32_t height) {
    png_image image;
    int result = begin_png(&image, bytes, count);
    if (result == 0) {
        image.format = PNG_FORMAT_RGBA;
        int is_same = image.width == width && image.height == height;
        result = is_same && png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0 ? 0 : -1;
    }
    png_image_free(&image);
    return result;
}
