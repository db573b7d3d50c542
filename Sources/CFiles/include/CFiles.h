#ifndef MARVEL_RPC_CFILES_H
#define MARVEL_RPC_CFILES_H

#include <stdint.h>

/// Reads the device and the inode of the file of that name, and nothing else. Returns whether there is one.
///
/// `stat` also reads the times. Since Linux 6.13 the next write to a file whose times were read gives it new ones, even if
/// the clock has not ticked since the last write. `fdatasync` then writes the inode too, and waits for it.
int marvel_file_identity(const char *path, uint64_t *device, uint64_t *inode);

/// The same for an open file.
int marvel_open_file_identity(int descriptor, uint64_t *device, uint64_t *inode);

/// Protects an open connection of SQLite (`sqlite3 *`) from the file: no trigger and no view of it is run, its schema
/// calls no function that could do harm, and no statement can damage the file. Returns whether SQLite took all settings.
///
/// `sqlite3_db_config` takes a variable number of arguments, so Swift cannot call it.
int marvel_defend_connection(void *connection);

/// Makes a name in double quotes that no column has an error, and not a text. Returns whether SQLite took the settings.
int marvel_refuse_quoted_texts(void *connection);

#endif
