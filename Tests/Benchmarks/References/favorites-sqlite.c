/*
 * A store in SQLite: the tables, rows and queries of marvel-server. `marvel-server check` accepts the file.
 */
#include "favorites-store.h"
#include "fnv.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The limits that marvel-server has by default, and the intervals of its checkpoints. */
enum { kept_changes = 1000, kept_answers = 1000000, minimum_age = 2 * 60, maximum_age = 7 * 24 * 60 * 60 };
enum { checkpoint_commits = 250, checkpoint_toggles = 4000 };

/* The tables of Sources/FavoritesSQLite/Tables/StoreSchema.swift in version 5, without the checksums of lists and favorites. */
static const char schema[] =
    "PRAGMA application_id = 0x4D727063;"
    "PRAGMA user_version = 5;"
    "CREATE TABLE lists (name TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT NULL CHECK (revision > 0),"
    "    digest INTEGER NOT NULL DEFAULT 0, deletion INTEGER, log_bytes INTEGER NOT NULL DEFAULT 0, owner TEXT)"
    "    STRICT, WITHOUT ROWID;"
    "CREATE INDEX lists_owner ON lists (owner) WHERE owner IS NOT NULL;"
    "CREATE UNIQUE INDEX lists_deletion ON lists (deletion) WHERE deletion IS NOT NULL;"
    "CREATE TABLE favorites (list TEXT NOT NULL REFERENCES lists (name), character_id INTEGER NOT NULL,"
    "    saved_revision INTEGER NOT NULL, snapshot TEXT NOT NULL, PRIMARY KEY (list, character_id))"
    "    STRICT, WITHOUT ROWID;"
    "CREATE TABLE changes (list TEXT NOT NULL REFERENCES lists (name), revision INTEGER NOT NULL,"
    "    change TEXT NOT NULL, digest INTEGER NOT NULL, UNIQUE (list, revision)) STRICT;"
    "CREATE TABLE pictures (character_id INTEGER NOT NULL PRIMARY KEY, media_type TEXT NOT NULL,"
    "    is_placeholder INTEGER NOT NULL, bytes BLOB NOT NULL, fetched_at INTEGER NOT NULL,"
    "    checksum INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE history (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), history INTEGER NOT NULL,"
    "    base INTEGER NOT NULL, dropped_revisions INTEGER NOT NULL, is_copy INTEGER NOT NULL) STRICT;"
    "INSERT INTO history VALUES (1, random(), 0, 0, 0);"
    "CREATE TABLE answers (sequence INTEGER NOT NULL PRIMARY KEY, principal TEXT NOT NULL, request_id TEXT NOT NULL,"
    "    list TEXT NOT NULL, character_id INTEGER NOT NULL, desired TEXT NOT NULL, is_favorite INTEGER NOT NULL,"
    "    revision INTEGER NOT NULL, evicted TEXT, history INTEGER NOT NULL, created_at INTEGER NOT NULL,"
    "    checksum INTEGER NOT NULL, UNIQUE (principal, request_id)) STRICT;";

static sqlite3 *writer, *reader;
int64_t history;

static struct {
    sqlite3_stmt *begin, *commit, *find_answer, *add_answer, *prune_answers, *find_list, *set_list;
    sqlite3_stmt *find_favorite, *add_favorite, *delete_favorite, *add_change, *prune_changes, *read_list;
} queries;

/* A list in a group of toggles, read once. */
struct grouped_list {
    ProtobufCBinaryData name;
    int64_t revision, digest, log_bytes;
    int64_t revision_before;
    bool had_row, is_changed;
    size_t count;
    int64_t ids[list_capacity]; /* Oldest first. */
    struct grouped_list *next; /* Of the same bucket. */
};

static struct {
    struct grouped_list lists[group_limit];
    struct grouped_list *buckets[group_limit];
    size_t list_count, answer_count;
    Google__Protobuf__Timestamp now;
} group;

/* MARK: SQLite */

static void check(bool condition, sqlite3 *database) {
    if (condition) return;
    fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void execute(sqlite3 *database, const char *sql) {
    check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, database);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *query;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &query, NULL) == SQLITE_OK, database);
    return query;
}

static void bind_text(sqlite3_stmt *query, int index, const void *data, size_t length) {
    /* An empty text has an address too; NULL would be SQL's. */
    check(sqlite3_bind_text(query, index, length > 0 ? data : "", length, SQLITE_STATIC) == SQLITE_OK, writer);
}

static void bind_name(sqlite3_stmt *query, int index, ProtobufCBinaryData text) {
    bind_text(query, index, text.data, text.len);
}

static void bind_number(sqlite3_stmt *query, int index, int64_t number) {
    check(sqlite3_bind_int64(query, index, number) == SQLITE_OK, writer);
}

/* Whether there is a row. After the last one the query is ready to run again. */
static bool step(sqlite3_stmt *query) {
    int result = sqlite3_step(query);
    if (result == SQLITE_ROW) return true;
    check(result == SQLITE_DONE, sqlite3_db_handle(query));
    sqlite3_reset(query);
    return false;
}

static void run(sqlite3_stmt *query) {
    while (step(query)) {}
}

/* MARK: Answers */

static const char *const desired_names[] = {"toggle", "saved", "removed"};

/* Whether the request was answered before; then that is its answer. */
static bool find_answer(struct toggle *toggle) {
    bind_name(queries.find_answer, 1, toggle->request->request_id);
    if (!step(queries.find_answer)) return false;
    toggle->is_favorite = sqlite3_column_int(queries.find_answer, 5);
    toggle->revision = sqlite3_column_int64(queries.find_answer, 6);
    const char *evicted = (const char *)sqlite3_column_text(queries.find_answer, 7);
    while (evicted != NULL && next_favorite(&evicted, &toggle->evicted[toggle->evicted_count])) {
        toggle->evicted_count++;
    }
    sqlite3_reset(queries.find_answer);
    return true;
}

static uint64_t hash_text(uint64_t hash, const void *data, size_t length) {
    return hash_bytes(hash_number(hash_byte(hash, 3), length), data, length);
}

static uint64_t hash_integer(uint64_t hash, int64_t number) { return hash_number(hash_byte(hash, 1), number); }

static void keep_answer(const struct toggle *toggle, const struct bytes *evicted) {
    const Marvel__V1__ToggleFavoriteRequest *request = toggle->request;
    const char *desired = desired_names[request->desired];
    uint64_t hash = hash_text(fnv_start, "", 0);
    hash = hash_text(hash, request->request_id.data, request->request_id.len);
    hash = hash_text(hash, request->list.data, request->list.len);
    hash = hash_integer(hash, request->character_id);
    hash = hash_text(hash, desired, strlen(desired));
    hash = hash_integer(hash_integer(hash, toggle->is_favorite), toggle->revision);
    hash = evicted->length > 0 ? hash_text(hash, evicted->data, evicted->length) : hash_byte(hash, 0);
    hash = hash_integer(hash_integer(hash, history), group.now.seconds);

    sqlite3_stmt *query = queries.add_answer;
    bind_text(query, 1, "", 0);
    bind_name(query, 2, request->request_id);
    bind_name(query, 3, request->list);
    bind_number(query, 4, request->character_id);
    bind_text(query, 5, desired, strlen(desired));
    bind_number(query, 6, toggle->is_favorite);
    bind_number(query, 7, toggle->revision);
    if (evicted->length > 0) bind_text(query, 8, evicted->data, evicted->length);
    else sqlite3_bind_null(query, 8);
    bind_number(query, 9, history);
    bind_number(query, 10, group.now.seconds);
    bind_number(query, 11, hash);
    run(query);
    group.answer_count++;
}

static void prune_answers(void) {
    sqlite3_stmt *query = queries.prune_answers;
    bind_number(query, 1, group.now.seconds);
    bind_number(query, 2, 2 * group.answer_count);
    bind_number(query, 3, maximum_age);
    bind_number(query, 4, minimum_age);
    bind_number(query, 5, kept_answers);
    run(query);
}

/* MARK: Lists */

static void load_list(struct grouped_list *list) {
    sqlite3_stmt *query = queries.find_list;
    bind_name(query, 1, list->name);
    while (step(query)) {
        list->had_row = true;
        list->revision = list->revision_before = sqlite3_column_int64(query, 0);
        list->digest = sqlite3_column_int64(query, 1);
        list->log_bytes = sqlite3_column_int64(query, 2);
        if (sqlite3_column_type(query, 4) != SQLITE_NULL) list->ids[list->count++] = sqlite3_column_int64(query, 4);
    }
}

static struct grouped_list *find_list(ProtobufCBinaryData name) {
    struct grouped_list **bucket = &group.buckets[hash_bytes(fnv_start, name.data, name.len) % group_limit];
    for (struct grouped_list *list = *bucket; list != NULL; list = list->next) {
        if (list->name.len == name.len && memcmp(list->name.data, name.data, name.len) == 0) return list;
    }
    struct grouped_list *list = &group.lists[group.list_count++];
    *list = (struct grouped_list){.name = name, .next = *bucket};
    *bucket = list;
    load_list(list);
    return list;
}

static void set_list(const struct grouped_list *list) {
    bind_name(queries.set_list, 1, list->name);
    bind_number(queries.set_list, 2, list->revision);
    bind_number(queries.set_list, 3, list->digest);
    bind_number(queries.set_list, 4, list->log_bytes);
    run(queries.set_list);
}

/* Takes the favorite at a position from a list, and appends its text. */
static void remove_favorite(struct grouped_list *list, size_t position, struct bytes *text) {
    int64_t id = list->ids[position];
    memmove(list->ids + position, list->ids + position + 1, (--list->count - position) * sizeof *list->ids);

    bind_name(queries.find_favorite, 1, list->name);
    bind_number(queries.find_favorite, 2, id);
    check(step(queries.find_favorite), writer);
    const void *snapshot = sqlite3_column_text(queries.find_favorite, 0);
    append_bytes(text, snapshot, sqlite3_column_bytes(queries.find_favorite, 0));
    sqlite3_reset(queries.find_favorite);

    bind_name(queries.delete_favorite, 1, list->name);
    bind_number(queries.delete_favorite, 2, id);
    run(queries.delete_favorite);
}

static void save_favorite(struct grouped_list *list, int64_t id, const uint8_t *text, size_t length) {
    list->ids[list->count++] = id;
    bind_name(queries.add_favorite, 1, list->name);
    bind_number(queries.add_favorite, 2, id);
    bind_number(queries.add_favorite, 3, list->revision);
    bind_text(queries.add_favorite, 4, text, length);
    run(queries.add_favorite);
}

static void add_change(struct grouped_list *list, const struct bytes *text) {
    list->log_bytes += text->length;
    uint64_t hash = hash_number(hash_number(fnv_start, list->digest), list->revision);
    list->digest = hash_bytes(hash, text->data, text->length);
    bind_name(queries.add_change, 1, list->name);
    bind_number(queries.add_change, 2, list->revision);
    bind_text(queries.add_change, 3, text->data, text->length);
    bind_number(queries.add_change, 4, list->digest);
    run(queries.add_change);
}

/* Deletes the changes that need not be kept, and writes the list's row. */
static void finish_list(struct grouped_list *list) {
    if (list->revision > kept_changes) {
        bind_name(queries.prune_changes, 1, list->name);
        bind_number(queries.prune_changes, 2, list->revision - kept_changes);
        bind_number(queries.prune_changes, 3, 2 * (list->revision - list->revision_before));
        while (step(queries.prune_changes)) list->log_bytes -= sqlite3_column_int64(queries.prune_changes, 0);
    }
    set_list(list);
}

/* MARK: Toggles */

static void remove_from(struct grouped_list *list, size_t position) {
    static struct bytes change;
    change.length = 0;
    append_format(&change, "{\"removed\":");
    remove_favorite(list, position, &change);
    append_format(&change, "}");
    add_change(list, &change);
}

static void save_on(struct grouped_list *list, struct toggle *toggle, struct bytes *evicted) {
    static struct bytes change;
    change.length = 0;
    append_format(&change, "{");
    if (list->count == list_capacity) {
        append_format(evicted, "[");
        remove_favorite(list, 0, evicted);
        append_format(evicted, "]");
        reserve(evicted, 1)[0] = '\0';
        const char *text = (const char *)evicted->data;
        toggle->evicted_count = next_favorite(&text, &toggle->evicted[0]);
        append_format(&change, "\"evicted\":%s,", evicted->data);
    }
    append_format(&change, "\"saved\":");
    size_t start = change.length;
    struct favorite favorite = {find_character(toggle->request->character_id), group.now};
    append_favorite(&change, &favorite);
    save_favorite(list, toggle->request->character_id, change.data + start, change.length - start);
    append_format(&change, "}");
    add_change(list, &change);
}

static void apply(struct toggle *toggle) {
    static struct bytes evicted;
    if (find_answer(toggle)) return;
    struct grouped_list *list = find_list(toggle->request->list);
    size_t position = 0;
    while (position < list->count && list->ids[position] != toggle->request->character_id) position++;
    bool is_favorite = position < list->count;
    toggle->is_favorite = wants_favorite(toggle, is_favorite);
    evicted.length = 0;
    if (toggle->is_favorite != is_favorite) {
        list->revision++;
        /* Other rows refer to the list's. */
        if (!list->had_row && !list->is_changed) set_list(list);
        list->is_changed = true;
        if (is_favorite) remove_from(list, position);
        else save_on(list, toggle, &evicted);
    }
    toggle->revision = list->revision;
    keep_answer(toggle, &evicted);
}

static void checkpoint_if_due(size_t toggle_count) {
    static size_t commits, toggles;
    commits++;
    toggles += toggle_count;
    if (commits < checkpoint_commits && toggles < checkpoint_toggles) return;
    commits = toggles = 0;
    int result = sqlite3_wal_checkpoint_v2(writer, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    check(result == SQLITE_OK, writer);
}

void commit_group(struct toggle **toggles, size_t count) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    group.list_count = group.answer_count = 0;
    memset(group.buckets, 0, sizeof group.buckets);
    group.now = (Google__Protobuf__Timestamp)GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    group.now.seconds = now.tv_sec;
    group.now.nanos = now.tv_nsec;

    run(queries.begin);
    for (size_t i = 0; i < count; i++) apply(toggles[i]);
    for (size_t i = 0; i < group.list_count; i++) {
        if (group.lists[i].is_changed) finish_list(&group.lists[i]);
    }
    if (group.answer_count > 0) prune_answers();
    run(queries.commit);
    checkpoint_if_due(count);
}

/* MARK: The rest */

void read_list(ProtobufCBinaryData name, struct favorites_list *list) {
    *list = (struct favorites_list){0};
    bind_name(queries.read_list, 1, name);
    while (step(queries.read_list)) {
        list->revision = sqlite3_column_int64(queries.read_list, 0);
        const char *snapshot = (const char *)sqlite3_column_text(queries.read_list, 1);
        if (snapshot != NULL && next_favorite(&snapshot, &list->favorites[list->count])) list->count++;
    }
}

static sqlite3 *connect_to(const char *path) {
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    check(sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK, database);
    return database;
}

static void prepare_queries(void) {
    queries.begin = prepare(writer, "BEGIN IMMEDIATE");
    queries.commit = prepare(writer, "COMMIT");
    queries.find_answer = prepare(
        writer,
        "SELECT principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,"
        "    created_at, checksum FROM answers WHERE principal = '' AND request_id = ?");
    queries.add_answer = prepare(
        writer,
        "INSERT INTO answers (principal, request_id, list, character_id, desired, is_favorite, revision, evicted,"
        "    history, created_at, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    queries.prune_answers = prepare(
        writer,
        "DELETE FROM answers WHERE sequence IN (SELECT sequence"
        "    FROM (SELECT sequence, ?1 - created_at AS age FROM answers ORDER BY sequence LIMIT ?2) WHERE age > ?3"
        "        OR (abs(age) > ?4 AND sequence <= (SELECT max(sequence) FROM answers) - ?5))");
    queries.find_list = prepare(
        writer,
        "SELECT revision, digest, log_bytes, deletion IS NULL, character_id"
        "    FROM lists LEFT JOIN favorites ON list = name WHERE name = ? ORDER BY saved_revision");
    queries.set_list = prepare(
        writer,
        "INSERT INTO lists (name, revision, digest, log_bytes) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
        "    revision = excluded.revision, digest = excluded.digest, log_bytes = excluded.log_bytes, deletion = NULL");
    queries.find_favorite = prepare(writer, "SELECT snapshot FROM favorites WHERE list = ? AND character_id = ?");
    queries.add_favorite = prepare(
        writer, "INSERT INTO favorites (list, character_id, saved_revision, snapshot) VALUES (?, ?, ?, ?)");
    queries.delete_favorite = prepare(writer, "DELETE FROM favorites WHERE list = ? AND character_id = ?");
    queries.add_change =
        prepare(writer, "INSERT INTO changes (list, revision, change, digest) VALUES (?, ?, ?, ?)");
    queries.prune_changes = prepare(
        writer,
        "DELETE FROM changes WHERE list = ?1 AND revision IN (SELECT revision FROM changes"
        "    WHERE list = ?1 AND revision <= ?2 ORDER BY revision LIMIT ?3) RETURNING length(CAST(change AS BLOB))");
    queries.read_list = prepare(
        reader,
        "SELECT revision, snapshot FROM lists LEFT JOIN favorites ON list = name WHERE name = ?"
        "    ORDER BY saved_revision");
}

void open_store(const char *path, const char *durability) {
    int synchronous = strcmp(durability, "full") == 0 ? 2 : strcmp(durability, "process") == 0 ? 1 : 0;
    char settings[200];
    snprintf(settings, sizeof settings,
             "PRAGMA journal_mode = wal; PRAGMA synchronous = %d; PRAGMA wal_autocheckpoint = 0;"
             "PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = 1;",
             synchronous);
    writer = connect_to(path);
    execute(writer, settings);
    execute(writer, schema);
    reader = connect_to(path);

    sqlite3_stmt *query = prepare(writer, "SELECT history FROM history");
    check(step(query), writer);
    history = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    prepare_queries();
}
