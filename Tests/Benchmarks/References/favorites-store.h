/*
 * Favorites lists in a new store, for `bare-favorites.c`. `favorites-sqlite.c` keeps them in a file, and
 * `favorites-postgres.c` in a database. A list holds five; the oldest leaves to make room.
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

/* The history in which revisions count, from `open_store` on. */
extern int64_t history;

/* Opens a new store. Durability is `full`, `process` or `none`, as marvel-server has it; a database has its own. */
void open_store(const char *store, const char *durability);

/* Applies toggles in one transaction, durable when this returns. Only one thread calls it. */
void commit_group(struct toggle **toggles, size_t count);

/* Reads a list. Only one thread calls it, which may be another one. */
void read_list(ProtobufCBinaryData name, struct favorites_list *list);

/* Whether a toggle wants its character on the list. */
static inline bool wants_favorite(const struct toggle *toggle, bool is_favorite) {
    switch (toggle->request->desired) {
        case MARVEL__V1__DESIRED__DESIRED_SAVED: return true;
        case MARVEL__V1__DESIRED__DESIRED_REMOVED: return false;
        default: return !is_favorite;
    }
}

#endif
