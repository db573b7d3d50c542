#include "CImages.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int cimages_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return -1;
    int subsampling = 0, colors = 0;
    int result = tjDecompressHeader3(handle, bytes, count, width, height, &subsampling, &colors);
    tjDestroy(handle);
    return result == 0 && colors != TJCS_CMYK && colors != TJCS_YCCK ? 0 : -1;
}

int cimages_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int width, int height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return -1;
    // Without a limit, a small file with very many scans could take minutes to decode.
    int flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
    int result = tjDecompress2(handle, bytes, count, pixels, width, 0, height, TJPF_RGBA, flags);
    tjDestroy(handle);
    return result;
}

// The bytes of the file that may follow the compressed data of the last row: the end of the compressed data, its
// checksum, and the frames of the chunks. libpng inflates what follows, though it needs none of it.
enum { tail_bytes = 4096 };

struct cimages_png {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    size_t tail;
    uint32_t width;
    uint32_t height;
    // The rows that are still to be read, in all passes.
    uint64_t rows_left;
};

static void fail(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static int has_all_rows(const cimages_png *file) {
    if (png_get_interlace_type(file->png, file->info) != PNG_INTERLACE_NONE)
        return png_get_current_pass_number(file->png) >= PNG_INTERLACE_ADAM7_PASSES;
    return file->height > 0 && png_get_current_row_number(file->png) >= file->height;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
    cimages_png *file = png_get_io_ptr(png);
    if (count > file->left) png_error(png, "the file is cut short");
    if (has_all_rows(file)) {
        if (count > file->tail) png_error(png, "there is more data than the header says");
        file->tail -= count;
    }
    memcpy(bytes, file->bytes, count);
    file->bytes += count;
    file->left -= count;
}

// Pixels with red, green, blue and opacity, of one byte each, in the colors of sRGB.
static void set_format(cimages_png *file) {
    png_set_alpha_mode(file->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    png_set_expand(file->png);
    png_set_scale_16(file->png);
    png_set_gray_to_rgb(file->png);
    png_set_add_alpha(file->png, 0xFF, PNG_FILLER_AFTER);
    file->rows_left = (uint64_t)png_set_interlace_handling(file->png) * file->height;
}

cimages_png *cimages_png_open(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    // Chunks that may be compressed or large. None of them changes the pixels.
    static const uint8_t skipped[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0eXIf\0hIST\0pCAL\0sCAL";
    cimages_png *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->bytes = bytes;
    file->left = count;
    file->tail = tail_bytes;
    file->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
    file->info = file->png != NULL ? png_create_info_struct(file->png) : NULL;
    if (file->info == NULL || setjmp(png_jmpbuf(file->png)) != 0) {
        cimages_png_close(file);
        return NULL;
    }
    png_set_read_fn(file->png, file, read_bytes);
    png_set_keep_unknown_chunks(file->png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
    png_read_info(file->png, file->info);
    file->width = png_get_image_width(file->png, file->info);
    file->height = png_get_image_height(file->png, file->info);
    set_format(file);
    png_read_update_info(file->png, file->info);
    if (png_get_rowbytes(file->png, file->info) != (size_t)4 * file->width) png_error(file->png, "another format");
    *width = file->width;
    *height = file->height;
    return file;
}

int cimages_png_read(cimages_png *file, uint8_t *pixels, uint32_t count) {
    if (setjmp(png_jmpbuf(file->png)) != 0) return -1;
    for (; count > 0 && file->rows_left > 0; count--) {
        // Each pass fills in the pixels that it has of every row.
        const uint64_t row = (file->height - file->rows_left % file->height) % file->height;
        png_read_row(file->png, pixels + 4 * (size_t)file->width * row, NULL);
        file->rows_left--;
    }
    return file->rows_left > 0;
}

void cimages_png_close(cimages_png *file) {
    png_destroy_read_struct(&file->png, &file->info, NULL);
    free(file);
}
