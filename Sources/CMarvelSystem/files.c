#define _GNU_SOURCE
#include "CMarvelSystem.h"

#include <fcntl.h>
#include <sys/stat.h>

static int identity(int folder, const char *path, int flags, uint64_t *device, uint64_t *inode) {
    struct statx file;
    if (statx(folder, path, flags, STATX_INO, &file) != 0) return 0;
    *device = (uint64_t)file.stx_dev_major << 32 | file.stx_dev_minor;
    *inode = file.stx_ino;
    return 1;
}

int marvel_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
    return identity(AT_FDCWD, path, 0, device, inode);
}

int marvel_open_file_identity(int descriptor, uint64_t *device, uint64_t *inode) {
    return identity(descriptor, "", AT_EMPTY_PATH, device, inode);
}
