/*
 * Favorites lists in SQLite: the tables, rows and queries of marvel-server's store. `marvel-server check` accepts
 * the file. A list holds five; the oldest leaves to make room.
 */
#ifndef FAVORITES_STORE_H
#define FAVORITES_STORE_H

#include "characters.h"

enum { list_capacity = 5, group_limit = 1024, place_length = 32 };

/* A request, and what `commit_group` finds out. */
struct toggle {
    Marvel__V1__ToggleFavoriteRequest *request;
    bool is_favorite;
    int64_t revision;
    size_t evicted_count;
    struct favorite evicted[list_capacity];
};

struct favorites_list {
    int64_t revision;
    size_t count;
    struct favorite favorites[list_capacity]; /* Oldest first. */
};

/* Opens a new store. Durability is `full`, `process` or `none`, as marvel-server has it. */
void open_store(const char *path, const char *durability);

/* Applies toggles in one transaction, on disk when this returns. Only one thread calls it. */
void commit_group(struct toggle **toggles, size_t count);

/* Reads a list from the file. Only one thread calls it, which may be another one. */
void read_list(ProtobufCBinaryData name, struct favorites_list *list);

/* Writes the opaque text of a list's revision. */
void write_place(char place[place_length], ProtobufCBinaryData list, int64_t revision);

#endif
