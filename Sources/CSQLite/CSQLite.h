#ifndef MARVEL_RPC_CSQLITE_H
#define MARVEL_RPC_CSQLITE_H

#include <sqlite3.h>

// `sqlite3_db_config` takes a variable number of arguments, so Swift cannot call it.

static inline int marvel_sqlite_set(sqlite3 *connection, int option, int value) {
    int result = !value;
    return sqlite3_db_config(connection, option, value, &result) == SQLITE_OK && result == value;
}

/// Protects an open connection from the file: no trigger and no view of it is run, its schema calls no function that could
/// do harm, and no statement can damage the file. Returns whether SQLite took all settings.
static inline int marvel_sqlite_defend(sqlite3 *connection) {
    return marvel_sqlite_set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
        && marvel_sqlite_set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        && marvel_sqlite_set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        && marvel_sqlite_set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
}

/// Makes a name in double quotes that no column has an error, and not a text. Returns whether SQLite took the settings.
static inline int marvel_sqlite_refuse_quoted_texts(sqlite3 *connection) {
    return marvel_sqlite_set(connection, SQLITE_DBCONFIG_DQS_DML, 0)
        && marvel_sqlite_set(connection, SQLITE_DBCONFIG_DQS_DDL, 0);
}

#endif
