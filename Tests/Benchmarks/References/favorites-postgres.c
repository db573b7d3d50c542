/*
 * A store in PostgreSQL: the tables, rows and statements of marvel-server. `marvel-server migrate` makes the schema
 * beforehand, and `marvel-server check` accepts the database.
 *
 * Lists are in memory. A group is one transaction in libpq's pipeline mode. The statements have the effects of those in
 * Sources/FavoritesPostgres/Schema/Statements.swift. As for marvel-server, the database compares each list and looks for
 * an answer to each request. There is no other writer, so an unexpected list ends the program, and so does a request id
 * that is used again. The statements leave out:
 *
 * - owners of lists, and deletions;
 * - names of callers: all are one, with an empty name;
 * - the deletion of names that a group made for no list: the comparison fails before.
 *
 * Old changes are deleted. Old answers are not, and no other server is notified.
 */
#include "favorites-store.h"

#include <endian.h>
#include <libpq-fe.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kept_changes = 1000, pruned_at_once = 16 };
enum { checksum_length = 8, bucket_count = 4096, parameter_limit = 29, call_limit = 5, array_header = 20 };

int64_t history;
static int64_t base; /* The revision with which lists begin. */
static PGconn *connection;

/* MARK: Statements */

/* The types of parameters, by letters: those of arrays are capitals. The OIDs are the same in every PostgreSQL. */
static const struct type {
    char letter;
    Oid id, element;
} types[] = {
    {'b', 17, 0}, {'n', 20, 0}, {'t', 25, 0}, {'B', 1001, 17}, {'N', 1016, 20}, {'S', 1005, 21}, {'T', 1009, 25},
};

/* A value in PostgreSQL's binary format. An array gets its header when it is sent. */
struct parameter {
    const struct type *type;
    uint32_t count; /* Of an array. */
    bool has_null;
    struct bytes bytes;
};

struct statement {
    const char *name, *types, *text;
    struct parameter parameters[parameter_limit];
};

static struct statement lock_history = {
    .name = "lock_history", .types = "", .text = "SELECT pg_advisory_xact_lock_shared(1299345507, 1)"};

static struct statement make_names = {
    .name = "make_names", .types = "T",
    .text =
        "INSERT INTO marvel.lists (name, deletion, revision, digest, ids, checksum)"
        " SELECT w.name, 0, 0, 0, '{}'::int8[], marvel.list_checksum_1(w.name, NULL, 0, 0, 0, '{}')"
        " FROM unnest($1) WITH ORDINALITY AS w (name, place)"
        " WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = w.name COLLATE \"C\")"
        " ORDER BY w.place ON CONFLICT DO NOTHING"};

static struct statement lock_lists = {
    .name = "lock_lists", .types = "T",
    .text =
        "SELECT FROM marvel.lists WHERE name = ANY ($1) ORDER BY name FOR NO KEY UPDATE"};

/* The first parameter of each kind of row. */
enum { list_rows = 2, request_rows = 10, change_rows = 18, left_rows = 22, saved_rows = 24 };

/* Returns the numbers of the lists that were as expected, and of the requests that were answered before. */
static struct statement commit_all = {
    .name = "commit_group", .types = "nnTNNSNNTBTTTNSSNBTNNBTNTNNBB",
    .text =
        "WITH wanted AS MATERIALIZED ("
        "    SELECT * FROM unnest($3, $4, $5, $6, $7, $8, $9, $10)"
        "        AS w (name, expected, expected_digest, state, next, digest, ids, checksum)"
        "), request AS MATERIALIZED ("
        "    SELECT * FROM unnest($11, $12, $13, $14, $15, $16, $17, $18)"
        "        AS r (principal, id, list, character_id, desired, flag, revision, evicted)"
        "), answered AS MATERIALIZED ("
        "    SELECT r.list AS wanted_list, a.history, a.list, a.character_id, a.desired, a.is_favorite, a.revision,"
        "        a.evicted"
        "    FROM request AS r JOIN marvel.answers AS a ON a.principal = r.principal COLLATE \"C\""
        "        AND a.request_id = r.id COLLATE \"C\""
        "), won AS MATERIALIZED ("
        "    SELECT w.* FROM wanted AS w JOIN marvel.meta AS m ON m.id = 1 AND m.history = $1"
        "    LEFT JOIN marvel.lists AS l ON l.name = w.name COLLATE \"C\""
        "    WHERE CASE WHEN l.revision > 0 THEN l.revision = w.expected AND l.digest = w.expected_digest"
        "            ELSE m.base = w.expected END"
        "        AND (w.state = 0 OR l.name IS NOT NULL)"
        "        AND w.name NOT IN (SELECT wanted_list FROM answered WHERE wanted_list IS NOT NULL)"
        "), list AS ("
        "    UPDATE marvel.lists AS l SET deletion = NULL, revision = won.next, digest = won.digest,"
        "        ids = won.ids::int8[], checksum = won.checksum"
        "    FROM won WHERE l.name = won.name COLLATE \"C\" AND won.state > 0"
        "), change AS ("
        "    INSERT INTO marvel.changes (list, revision, digest, change)"
        "    SELECT * FROM unnest($19, $20, $21, $22) AS c (list, revision, digest, change)"
        "    WHERE (c.list IN (SELECT name FROM won)) IS TRUE"
        "), left_favorite AS ("
        "    DELETE FROM marvel.favorites AS f USING unnest($23, $24) AS d (list, character_id)"
        "    WHERE f.list = d.list COLLATE \"C\" AND f.character_id = d.character_id"
        "        AND (d.list IN (SELECT name FROM won)) IS TRUE"
        "), saved_favorite AS ("
        "    INSERT INTO marvel.favorites AS f (list, character_id, saved_revision, snapshot, checksum)"
        "    SELECT * FROM unnest($25, $26, $27, $28, $29) AS s (list, character_id, revision, snapshot, checksum)"
        "    WHERE (s.list IN (SELECT name FROM won)) IS TRUE"
        "    ON CONFLICT (list, character_id) DO UPDATE SET saved_revision = excluded.saved_revision,"
        "        snapshot = excluded.snapshot, checksum = excluded.checksum"
        "), answer AS ("
        "    INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,"
        "        revision, evicted, created_at)"
        "    SELECT r.principal, r.id, $1, r.list, r.character_id, r.desired, r.flag <> 0, r.revision, r.evicted, $2"
        "    FROM request AS r WHERE (r.list IN (SELECT name FROM won)) IS TRUE"
        "    ORDER BY r.principal COLLATE \"C\", r.id COLLATE \"C\""
        ")"
        "SELECT (SELECT count(*) FROM won), (SELECT count(*) FROM answered)"};

static struct statement prune_changes = {
    .name = "prune_changes", .types = "TN",
    .text =
        "DELETE FROM marvel.changes AS c USING unnest($1, $2) AS p (list, revision)"
        " WHERE c.list = p.list COLLATE \"C\" AND c.revision <= p.revision"};

/* Returns the number of changes that were made: 1. */
static struct statement commit_one = {
    .name = "commit_one", .types = "ntnnnnNbbNnbbtnnnbn",
    .text =
        "WITH list AS ("
        "    UPDATE marvel.lists SET revision = $5, digest = $6, ids = $7, checksum = $8"
        "    WHERE name = $2 AND revision = $3 AND digest = $4 AND deletion IS NULL"
        "        AND (SELECT history FROM marvel.meta WHERE id = 1) = $1"
        "        AND NOT EXISTS (SELECT FROM marvel.answers WHERE principal = '' AND request_id = $14)"
        "    RETURNING 1"
        "), change AS ("
        "    INSERT INTO marvel.changes (list, revision, digest, change) SELECT $2, $5, $6, $9 FROM list"
        "), left_favorite AS ("
        "    DELETE FROM marvel.favorites WHERE list = $2 AND character_id = ANY ($10) AND EXISTS (SELECT FROM list)"
        "), saved_favorite AS ("
        "    INSERT INTO marvel.favorites AS f (list, character_id, saved_revision, snapshot, checksum)"
        "    SELECT $2, $11, $5, $12, $13 FROM list WHERE $11 IS NOT NULL"
        "    ON CONFLICT (list, character_id) DO UPDATE SET saved_revision = excluded.saved_revision,"
        "        snapshot = excluded.snapshot, checksum = excluded.checksum"
        "), answer AS ("
        "    INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,"
        "        revision, evicted, created_at)"
        "    SELECT '', $14, $1, $2, $15, $16::int2, $17 <> 0, $5, $18, $19 FROM list"
        ")"
        "SELECT count(*) FROM list"};

/* MARK: libpq */

static void check(bool condition) {
    if (condition) return;
    fprintf(stderr, "PostgreSQL: %s\n", PQerrorMessage(connection));
    exit(1);
}

static void prepare(struct statement *statement) {
    Oid ids[parameter_limit];
    int count = strlen(statement->types);
    for (int i = 0; i < count; i++) {
        const struct type *type = types;
        while (type->letter != statement->types[i]) type++;
        statement->parameters[i].type = type;
        ids[i] = type->id;
    }
    PGresult *result = PQprepare(connection, statement->name, statement->text, count, ids);
    check(PQresultStatus(result) == PGRES_COMMAND_OK);
    PQclear(result);
}

/* Forgets the parameters of the last time. */
static void clear(struct statement *statement) {
    for (size_t i = 0; statement->types[i] != '\0'; i++) {
        struct parameter *parameter = &statement->parameters[i];
        parameter->count = 0;
        parameter->has_null = false;
        parameter->bytes.length = 0;
        reserve(&parameter->bytes, array_header);
        if (parameter->type->element != 0) parameter->bytes.length = array_header;
    }
}

static void put_u32(uint8_t *bytes, uint32_t value) {
    value = htobe32(value);
    memcpy(bytes, &value, sizeof value);
}

/* Sets a single value, or adds one to an array. A NULL pointer adds SQL's NULL. */
static void add(struct parameter *parameter, const void *data, size_t length) {
    if (parameter->type->element != 0) {
        put_u32(reserve(&parameter->bytes, 4), data != NULL ? length : (uint32_t)-1);
        parameter->bytes.length += 4;
        parameter->count++;
    }
    if (data != NULL) append_bytes(&parameter->bytes, data, length);
    else parameter->has_null = true;
}

static void add_text(struct parameter *parameter, ProtobufCBinaryData text) { add(parameter, text.data, text.len); }

/* Adds NULL if there are no bytes. */
static void add_bytes(struct parameter *parameter, const struct bytes *bytes) {
    add(parameter, bytes->length > 0 ? bytes->data : NULL, bytes->length);
}

static void add_number(struct parameter *parameter, int64_t number) {
    uint64_t value = htobe64(number);
    add(parameter, &value, sizeof value);
}

static void add_short(struct parameter *parameter, int16_t number) {
    uint16_t value = htobe16(number);
    add(parameter, &value, sizeof value);
}

/* Writes: dimensions, whether there are nulls, type of the elements, count, first index. */
static void finish_array(struct parameter *parameter) {
    uint8_t *header = parameter->bytes.data;
    uint32_t count = parameter->count;
    const uint32_t fields[] = {count > 0, parameter->has_null, parameter->type->element, count, 1};
    for (int i = 0; i < 5; i++) put_u32(header + 4 * i, fields[i]);
    if (count == 0) parameter->bytes.length = 12; /* An empty array has no dimension, and so no count of one. */
}

static void send_call(struct statement *statement) {
    const char *values[parameter_limit];
    int lengths[parameter_limit], formats[parameter_limit], count = strlen(statement->types);
    for (int i = 0; i < count; i++) {
        struct parameter *parameter = &statement->parameters[i];
        if (parameter->type->element != 0) finish_array(parameter);
        bool is_null = parameter->has_null && parameter->type->element == 0;
        values[i] = is_null ? NULL : (const char *)parameter->bytes.data;
        lengths[i] = parameter->bytes.length;
        formats[i] = 1;
    }
    check(PQsendQueryPrepared(connection, statement->name, count, values, lengths, formats, 1));
}

/* The result of the next statement. */
static PGresult *receive(ExecStatusType expected) {
    PGresult *result = PQgetResult(connection);
    check(PQresultStatus(result) == expected);
    return result;
}

static int64_t number_in(const PGresult *result, int column) {
    uint64_t value;
    memcpy(&value, PQgetvalue(result, 0, column), sizeof value);
    return be64toh(value);
}

/* MARK: Lists */

struct list {
    ProtobufCBinaryData name;
    int64_t revision, digest;
    bool exists;
    size_t count;
    struct favorite favorites[list_capacity]; /* Oldest first. */
    int64_t saved_at[list_capacity];          /* The revisions that saved them. */
    struct list *next;                        /* Of the same bucket. */
    struct group_list *grouped;               /* NULL outside of a group. */
};

/* A list in a group of toggles. */
struct group_list {
    struct list *list;
    struct list after;
    uint16_t toggles[group_limit];
    size_t toggle_count;
};

/* All lists. Only the writer changes them, under the lock; another thread reads them under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list *buckets[bucket_count];

static struct group_list group[group_limit];
static size_t group_count;
static Google__Protobuf__Timestamp now;

/* The JSON of the last change that was decided, and the array of what it evicted. */
static struct bytes change, evicted;

static struct list **place_of(ProtobufCBinaryData name) {
    uint32_t hash = 0;
    for (size_t i = 0; i < name.len; i++) hash = hash * 31 + name.data[i];
    struct list **place = &buckets[hash % bucket_count];
    for (; *place != NULL; place = &(*place)->next) {
        if ((*place)->name.len == name.len && memcmp((*place)->name.data, name.data, name.len) == 0) break;
    }
    return place;
}

/* A name that is not known gets an entry, for a list that does not exist yet. */
static struct list *find_list(ProtobufCBinaryData name) {
    struct list **place = place_of(name);
    if (*place != NULL) return *place;
    struct list *list = calloc(1, sizeof *list);
    uint8_t *copy = malloc(name.len);
    require(list != NULL && copy != NULL, "malloc");
    memcpy(copy, name.data, name.len);
    list->name = (ProtobufCBinaryData){name.len, copy};
    list->revision = base;
    pthread_mutex_lock(&lock);
    *place = list;
    pthread_mutex_unlock(&lock);
    return list;
}

static size_t position_of(const struct list *list, int64_t id) {
    size_t position = 0;
    while (position < list->count && list->favorites[position].character->message->id != id) position++;
    return position;
}

static void remove_favorite(struct list *list, size_t position) {
    size_t rest = --list->count - position;
    memmove(list->favorites + position, list->favorites + position + 1, rest * sizeof *list->favorites);
    memmove(list->saved_at + position, list->saved_at + position + 1, rest * sizeof *list->saved_at);
}

static void append_literal(struct bytes *text, const char *literal) { append_bytes(text, literal, strlen(literal)); }

static int64_t next_digest(const struct list *list) {
    static struct bytes input;
    const uint64_t numbers[] = {htobe64(list->digest), htobe64(list->revision)};
    uint64_t digest[SHA256_DIGEST_LENGTH / 8];
    input.length = 0;
    append_bytes(&input, numbers, sizeof numbers);
    append_bytes(&input, change.data, change.length);
    SHA256(input.data, input.length, (uint8_t *)digest);
    return be64toh(digest[0]);
}

static void save_on(struct list *list, struct toggle *toggle) {
    struct favorite favorite = {find_character(toggle->request->character_id), now};
    append_literal(&change, "{");
    if (list->count == list_capacity) {
        toggle->evicted[toggle->evicted_count++] = list->favorites[0];
        append_literal(&evicted, "[");
        append_favorite(&evicted, &list->favorites[0]);
        append_literal(&evicted, "]");
        remove_favorite(list, 0);
        append_literal(&change, "\"evicted\":");
        append_bytes(&change, evicted.data, evicted.length);
        append_literal(&change, ",");
    }
    append_literal(&change, "\"saved\":");
    append_favorite(&change, &favorite);
    append_literal(&change, "}");
    list->favorites[list->count] = favorite;
    list->saved_at[list->count++] = list->revision;
    list->exists = true;
}

static void remove_from(struct list *list, size_t position) {
    append_literal(&change, "{\"removed\":");
    append_favorite(&change, &list->favorites[position]);
    append_literal(&change, "}");
    remove_favorite(list, position);
}

/* Carries out a toggle in memory, and returns whether it is a change. */
static bool apply(struct toggle *toggle, struct list *list) {
    size_t position = position_of(list, toggle->request->character_id);
    bool is_favorite = position < list->count;
    change.length = evicted.length = 0;
    toggle->evicted_count = 0;
    toggle->is_favorite = wants_favorite(toggle, is_favorite);
    bool is_change = toggle->is_favorite != is_favorite;
    if (is_change) {
        list->revision++;
        if (is_favorite) remove_from(list, position);
        else save_on(list, toggle);
        list->digest = next_digest(list);
    }
    toggle->revision = list->revision;
    return is_change;
}

/* MARK: Rows */

static void append_ids(struct bytes *text, const struct list *list) {
    append_literal(text, "{");
    for (size_t i = 0; i < list->count; i++) {
        append_format(text, i == 0 ? "%lld" : ",%lld", (long long)list->favorites[i].character->message->id);
    }
    append_literal(text, "}");
}

static void add_checksum(struct parameter *parameter, const struct bytes *text) {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256(text->data, text->length, digest);
    add(parameter, digest, checksum_length);
}

static void append_name(struct bytes *text, ProtobufCBinaryData name) {
    append_bytes(text, name.data, name.len);
    append_literal(text, "\n");
}

/* As marvel.list_checksum_1 makes it, for a list without an owner. */
static void add_list_checksum(struct parameter *parameter, const struct list *list) {
    static struct bytes text;
    text.length = 0;
    append_name(&text, list->name);
    append_format(&text, "\n\n%lld\n%lld\n", (long long)list->revision, (long long)list->digest);
    append_ids(&text, list);
    add_checksum(parameter, &text);
}

/* The snapshot and the checksum of a favorite, as marvel.favorite_checksum_1 makes it. */
static void add_snapshot(struct parameter *parameters, const struct list *list, size_t position) {
    static struct bytes text;
    const struct favorite *favorite = &list->favorites[position];
    text.length = 0;
    append_name(&text, list->name);
    append_format(&text, "%lld\n%lld\n", (long long)favorite->character->message->id,
                  (long long)list->saved_at[position]);
    size_t start = text.length;
    append_favorite(&text, favorite);
    add(&parameters[0], text.data + start, text.length - start);
    add_checksum(&parameters[1], &text);
}

static void add_list_row(const struct list *before, const struct list *after) {
    static struct bytes ids;
    bool is_written = after->revision > before->revision;
    ids.length = 0;
    append_ids(&ids, after);
    struct parameter *row = commit_all.parameters + list_rows;
    add_text(row++, after->name);
    add_number(row++, before->revision);
    add_number(row++, before->digest);
    add_short(row++, is_written);
    add_number(row++, after->revision);
    add_number(row++, after->digest);
    add_bytes(row++, &ids);
    if (is_written) add_list_checksum(row, after);
    else add(row, NULL, 0);
}

static void add_request_row(const struct toggle *toggle) {
    struct parameter *row = commit_all.parameters + request_rows;
    add(row++, "", 0);
    add_text(row++, toggle->request->request_id);
    add_text(row++, toggle->request->list);
    add_number(row++, toggle->request->character_id);
    add_short(row++, toggle->request->desired);
    add_short(row++, toggle->is_favorite);
    add_number(row++, toggle->revision);
    add_bytes(row, &evicted);
}

static void add_change_row(const struct list *list) {
    struct parameter *row = commit_all.parameters + change_rows;
    add_text(row++, list->name);
    add_number(row++, list->revision);
    add_number(row++, list->digest);
    add_bytes(row, &change);
}

/* The rows of the favorites that left the list, and of those that were saved on it. */
static void add_favorite_rows(const struct list *before, const struct list *after) {
    for (size_t i = 0; i < before->count; i++) {
        int64_t id = before->favorites[i].character->message->id;
        if (position_of(after, id) < after->count) continue;
        add_text(commit_all.parameters + left_rows, after->name);
        add_number(commit_all.parameters + left_rows + 1, id);
    }
    for (size_t i = 0; i < after->count; i++) {
        if (after->saved_at[i] <= before->revision) continue;
        struct parameter *row = commit_all.parameters + saved_rows;
        add_text(row++, after->name);
        add_number(row++, after->favorites[i].character->message->id);
        add_number(row++, after->saved_at[i]);
        add_snapshot(row, after, i);
    }
}

/* MARK: Groups */

static bool is_pruned(const struct list *before, const struct list *after) {
    return after->revision > kept_changes && before->revision / pruned_at_once != after->revision / pruned_at_once;
}

/* Finds the lists of a group, and the toggles of each, in their order. */
static void form_group(struct toggle **toggles, size_t count) {
    group_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct list *list = find_list(toggles[i]->request->list);
        if (list->grouped == NULL) {
            list->grouped = &group[group_count++];
            list->grouped->list = list;
            list->grouped->after = *list;
            list->grouped->toggle_count = 0;
        }
        list->grouped->toggles[list->grouped->toggle_count++] = i;
    }
}

static void add_rows(struct toggle **toggles, struct group_list *grouped) {
    const struct list *before = grouped->list;
    struct list *after = &grouped->after;
    for (size_t i = 0; i < grouped->toggle_count; i++) {
        struct toggle *toggle = toggles[grouped->toggles[i]];
        if (apply(toggle, after)) add_change_row(after);
        add_request_row(toggle);
    }
    add_list_row(before, after);
    add_favorite_rows(before, after);
    add_text(&lock_lists.parameters[0], after->name);
    if (is_pruned(before, after)) {
        add_text(&prune_changes.parameters[0], after->name);
        add_number(&prune_changes.parameters[1], after->revision - kept_changes);
    }
}

static int compare_names(const void *left, const void *right) {
    const ProtobufCBinaryData *l = left, *r = right;
    int order = memcmp(l->data, r->data, l->len < r->len ? l->len : r->len);
    return order != 0 ? order : (l->len > r->len) - (l->len < r->len);
}

/* Names are made in their order, so that writers never wait for each other in a circle. */
static void add_unknown_names(void) {
    static ProtobufCBinaryData names[group_limit];
    size_t count = 0;
    for (size_t i = 0; i < group_count; i++) {
        if (!group[i].list->exists && group[i].after.exists) names[count++] = group[i].list->name;
    }
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) add_text(&make_names.parameters[0], names[i]);
}

/* All calls are sent before a result is read: results are a few bytes, so neither side waits for room in a buffer. */
static void run_calls(struct statement **calls, size_t count) {
    check(PQenterPipelineMode(connection));
    for (size_t i = 0; i < count; i++) send_call(calls[i]);
    check(PQpipelineSync(connection));
    for (size_t i = 0; i < count; i++) {
        PGresult *result = PQgetResult(connection);
        ExecStatusType status = PQresultStatus(result);
        check(status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK);
        if (calls[i] == &commit_all) {
            require(number_in(result, 1) == 0, "a request id is used again");
            require(number_in(result, 0) == (int64_t)group_count, "a list has changed");
        } else if (calls[i] == &commit_one) {
            require(number_in(result, 0) == 1, "the list has changed, or a request id is used again");
        }
        PQclear(result);
        check(PQgetResult(connection) == NULL);
    }
    PQclear(receive(PGRES_PIPELINE_SYNC));
    check(PQexitPipelineMode(connection));
}

static void commit_lists(struct toggle **toggles) {
    clear(&make_names);
    clear(&lock_lists);
    clear(&commit_all);
    clear(&prune_changes);
    add_number(&commit_all.parameters[0], history);
    add_number(&commit_all.parameters[1], now.seconds);
    for (size_t i = 0; i < group_count; i++) add_rows(toggles, &group[i]);
    add_unknown_names();

    struct statement *calls[call_limit];
    size_t count = 0;
    calls[count++] = &lock_history;
    if (make_names.parameters[0].count > 0) calls[count++] = &make_names;
    calls[count++] = &lock_lists;
    calls[count++] = &commit_all;
    if (prune_changes.parameters[0].count > 0) calls[count++] = &prune_changes;
    run_calls(calls, count);
}

/* Does the same for one change of a list that exists, in two statements. */
static void commit_change(const struct toggle *toggle, const struct list *before, const struct list *after) {
    clear(&commit_one);
    struct parameter *next = commit_one.parameters;
    add_number(next++, history);
    add_text(next++, after->name);
    add_number(next++, before->revision);
    add_number(next++, before->digest);
    add_number(next++, after->revision);
    add_number(next++, after->digest);
    for (size_t i = 0; i < after->count; i++) add_number(next, after->favorites[i].character->message->id);
    next++;
    add_list_checksum(next++, after);
    add_bytes(next++, &change);
    for (size_t i = 0; i < before->count; i++) {
        int64_t id = before->favorites[i].character->message->id;
        if (position_of(after, id) == after->count) add_number(next, id);
    }
    next++;
    if (toggle->is_favorite) {
        add_number(&next[0], toggle->request->character_id);
        add_snapshot(&next[1], after, after->count - 1);
    } else {
        for (int i = 0; i < 3; i++) add(&next[i], NULL, 0);
    }
    next += 3;
    add_text(next++, toggle->request->request_id);
    add_number(next++, toggle->request->character_id);
    add_number(next++, toggle->request->desired);
    add_number(next++, toggle->is_favorite);
    add_bytes(next++, &evicted);
    add_number(next, now.seconds);

    struct statement *calls[] = {&lock_history, &commit_one};
    run_calls(calls, 2);
}

/* Returns false if the group is more than one change of a list that exists. */
static bool commit_single(struct toggle *toggle) {
    const struct list *before = group[0].list;
    struct list after = *before;
    if (!before->exists || !apply(toggle, &after) || is_pruned(before, &after)) return false;
    commit_change(toggle, before, &after);
    group[0].after = after;
    return true;
}

void commit_group(struct toggle **toggles, size_t count) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now = (Google__Protobuf__Timestamp)GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    now.seconds = time.tv_sec;
    now.nanos = time.tv_nsec;

    form_group(toggles, count);
    if (count > 1 || !commit_single(toggles[0])) commit_lists(toggles);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < group_count; i++) {
        struct list *list = group[i].list, *next = list->next;
        *list = group[i].after;
        list->next = next;
        list->grouped = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* MARK: The rest */

void read_list(ProtobufCBinaryData name, struct favorites_list *list) {
    *list = (struct favorites_list){.revision = base};
    pthread_mutex_lock(&lock);
    const struct list *found = *place_of(name);
    if (found != NULL) {
        list->revision = found->revision;
        list->count = found->count;
        memcpy(list->favorites, found->favorites, sizeof found->favorites);
    }
    pthread_mutex_unlock(&lock);
}

/* The settings of marvel-server's connections: plans that suit tables which grow. */
static const char session[] =
    "SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_mergejoin = off;"
    "SET enable_hashjoin = off; SET synchronous_commit = on";

void open_store(const char *store, const char *durability) {
    (void)durability;
    connection = PQconnectdb(store);
    check(PQstatus(connection) == CONNECTION_OK);
    PGresult *result = PQexec(connection, session);
    check(PQresultStatus(result) == PGRES_COMMAND_OK);
    PQclear(result);
    const char *query = "SELECT history, base, capacity, EXISTS (SELECT FROM marvel.lists) FROM marvel.meta";
    result = PQexec(connection, query);
    check(PQresultStatus(result) == PGRES_TUPLES_OK);
    history = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    base = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
    require(atoi(PQgetvalue(result, 0, 2)) == list_capacity, "lists have another capacity");
    require(strcmp(PQgetvalue(result, 0, 3), "f") == 0, "the store is not new");
    PQclear(result);
    struct statement *statements[] = {
        &lock_history, &make_names, &lock_lists, &commit_all, &prune_changes, &commit_one,
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) prepare(statements[i]);
}
