#define _GNU_SOURCE
#include "CFiles.h"

#include <fcntl.h>
#include <sqlite3.h>
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

static int set(sqlite3 *connection, int option, int value) {
    int result = !value;
    return sqlite3_db_config(connection, option, value, &result) == SQLITE_OK && result == value;
}

int marvel_defend_connection(void *connection) {
    return set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1) && set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        && set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) && set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
}

int marvel_refuse_quoted_texts(void *connection) {
    return set(connection, SQLITE_DBCONFIG_DQS_DML, 0) && set(connection, SQLITE_DBCONFIG_DQS_DDL, 0);
}
