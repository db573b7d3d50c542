/*
 * The least that a server of favorites can cost: ToggleFavorite and ListFavorites over SQLite or PostgreSQL, with the
 * rows and the queries of marvel-server's store.
 *
 *     bare-favorites --store FILE --characters FILE [--durability full|process|none] [--port N]
 *     bare-favorites-postgres --store ADDRESS --characters FILE [--port N]
 *
 * FILE of `--characters` holds an encoded SearchCharactersResponse: only its characters can be saved. One thread speaks
 * with the clients, another one writes: toggles that wait while it commits are its next transaction. libprotobuf-c
 * decodes requests and encodes answers.
 *
 * Any error ends the program, and the store has to be new. Nothing is validated, nobody watches.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "favorites-store.h"
#include "fnv.h"

/* A toggle and where its answer goes. */
struct call {
    struct toggle toggle; /* First: the store knows nothing else. */
    struct connection *connection;
    uint32_t id;
    struct call *next;
};

struct queue {
    struct call *first, *last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct queue waiting, done; /* Both under the lock. */
static int finished;               /* The eventfd that says that calls are done. */

static void add(struct queue *queue, struct call *call) {
    call->next = NULL;
    if (queue->first == NULL) queue->first = call;
    else queue->last->next = call;
    queue->last = call;
}

static struct call *take(struct queue *queue) {
    struct call *call = queue->first;
    queue->first = call->next;
    return call;
}

/* MARK: Answers */

static void write_response(struct connection *connection, uint32_t id, const ProtobufCMessage *message) {
    static struct bytes payload;
    size_t length = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, reserve(&payload, length));
    Marvel__Rpc__V1__Response envelope = MARVEL__RPC__V1__RESPONSE__INIT;
    envelope.payload = (ProtobufCBinaryData){length, payload.data};
    size_t size = marvel__rpc__v1__response__get_packed_size(&envelope);
    marvel__rpc__v1__response__pack(&envelope, begin_frame(&connection->out, size, id, type_response, 0));
}

/* Writes the opaque text of a list's revision. */
static void write_place(char place[place_length], ProtobufCBinaryData list, int64_t revision) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint64_t hash = hash_bytes(hash_byte(fnv_start, 1), list.data, list.len);
    hash = hash_number(hash_number(hash, history), revision);
    const uint64_t numbers[] = {history, revision, hash};
    uint8_t bytes[24];
    for (int i = 0; i < 24; i++) bytes[i] = numbers[i / 8] >> (56 - i % 8 * 8);
    for (int i = 0; i < 8; i++) {
        uint32_t bits = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
        for (int j = 0; j < 4; j++) place[4 * i + j] = letters[bits >> (18 - 6 * j) & 63];
    }
}

/* Favorites as messages that point into `favorites`. */
struct messages {
    Marvel__V1__Favorite values[list_capacity], *pointers[list_capacity];
};

static Marvel__V1__Favorite **messages_of(struct messages *messages, struct favorite *favorites, size_t count) {
    for (size_t i = 0; i < count; i++) {
        messages->values[i] = (Marvel__V1__Favorite)MARVEL__V1__FAVORITE__INIT;
        messages->values[i].character = favorites[i].character->message;
        messages->values[i].saved_at = &favorites[i].saved_at;
        messages->pointers[i] = &messages->values[i];
    }
    return messages->pointers;
}

static void answer_toggle(struct call *call) {
    struct toggle *toggle = &call->toggle;
    struct messages messages;
    char place[place_length];
    write_place(place, toggle->request->list, toggle->revision);
    Marvel__V1__ToggleFavoriteResponse answer = MARVEL__V1__TOGGLE_FAVORITE_RESPONSE__INIT;
    answer.is_favorite = toggle->is_favorite;
    answer.revision = toggle->revision;
    answer.n_evicted = toggle->evicted_count;
    answer.evicted = messages_of(&messages, toggle->evicted, toggle->evicted_count);
    answer.place = (ProtobufCBinaryData){place_length, (uint8_t *)place};
    write_response(call->connection, call->id, &answer.base);
}

static void answer_list(struct connection *connection, uint32_t id, ProtobufCBinaryData name) {
    struct favorites_list list;
    struct messages messages;
    char place[place_length];
    read_list(name, &list);
    write_place(place, name, list.revision);
    Marvel__V1__ListFavoritesResponse answer = MARVEL__V1__LIST_FAVORITES_RESPONSE__INIT;
    answer.n_favorites = list.count;
    answer.favorites = messages_of(&messages, list.favorites, list.count);
    answer.revision = list.revision;
    answer.capacity = list_capacity;
    answer.attribution = attribution;
    answer.place = (ProtobufCBinaryData){place_length, (uint8_t *)place};
    write_response(connection, id, &answer.base);
}

/* MARK: Requests. Each returns whether it is one. */

static bool begin_toggle(struct connection *connection, uint32_t id, ProtobufCBinaryData payload) {
    struct call *call = calloc(1, sizeof *call);
    require(call != NULL, "calloc");
    call->toggle.request = marvel__v1__toggle_favorite_request__unpack(NULL, payload.len, payload.data);
    if (call->toggle.request == NULL) return free(call), false;
    call->connection = connection;
    call->id = id;
    connection->calls++;
    pthread_mutex_lock(&lock);
    add(&waiting, call);
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return true;
}

static bool list_favorites(struct connection *connection, uint32_t id, ProtobufCBinaryData payload) {
    Marvel__V1__ListFavoritesRequest *request =
        marvel__v1__list_favorites_request__unpack(NULL, payload.len, payload.data);
    if (request == NULL) return false;
    answer_list(connection, id, request->list);
    marvel__v1__list_favorites_request__free_unpacked(request, NULL);
    return true;
}

static bool is(ProtobufCBinaryData text, const char *expected) {
    return text.len == strlen(expected) && memcmp(text.data, expected, text.len) == 0;
}

static bool answer(struct connection *connection, const uint8_t *frame, size_t length) {
    Marvel__Rpc__V1__Request *envelope = marvel__rpc__v1__request__unpack(NULL, length, frame + header_size);
    if (envelope == NULL) return false;
    uint32_t id = read_u32(frame + 4);
    bool is_known = false;
    if (is(envelope->method, "ToggleFavorite")) is_known = begin_toggle(connection, id, envelope->payload);
    else if (is(envelope->method, "ListFavorites")) is_known = list_favorites(connection, id, envelope->payload);
    marvel__rpc__v1__request__free_unpacked(envelope, NULL);
    return is_known;
}

/* MARK: Threads */

/* Waits for toggles, and takes as many as share a transaction. */
static size_t take_group(struct toggle **toggles) {
    size_t count = 0;
    pthread_mutex_lock(&lock);
    while (waiting.first == NULL) pthread_cond_wait(&arrived, &lock);
    while (waiting.first != NULL && count < group_limit) toggles[count++] = &take(&waiting)->toggle;
    pthread_mutex_unlock(&lock);
    return count;
}

static void *write_groups(void *unused) {
    static struct toggle *toggles[group_limit];
    for (;;) {
        size_t count = take_group(toggles);
        commit_group(toggles, count);
        pthread_mutex_lock(&lock);
        for (size_t i = 0; i < count; i++) add(&done, (struct call *)toggles[i]);
        pthread_mutex_unlock(&lock);
        require(write(finished, &(uint64_t){1}, sizeof(uint64_t)) > 0, "eventfd");
    }
    return unused;
}

static void answer_done(void) {
    pthread_mutex_lock(&lock);
    struct queue answered = done;
    done.first = NULL;
    pthread_mutex_unlock(&lock);
    for (struct call *call = answered.first; call != NULL; call = call->next) {
        if (call->connection->socket >= 0) answer_toggle(call);
    }
    /* All answers of a connection leave with one write. */
    while (answered.first != NULL) {
        struct call *call = take(&answered);
        flush(call->connection);
        end_call(call->connection);
        marvel__v1__toggle_favorite_request__free_unpacked(call->toggle.request, NULL);
        free(call);
    }
}

int main(int count, char **arguments) {
    const char *store = NULL, *durability = "full";
    uint16_t port = 0;
    for (int i = 1; i + 1 < count; i += 2) {
        const char *value = arguments[i + 1];
        if (strcmp(arguments[i], "--store") == 0) store = value;
        else if (strcmp(arguments[i], "--characters") == 0) read_characters(value);
        else if (strcmp(arguments[i], "--durability") == 0) durability = value;
        else if (strcmp(arguments[i], "--port") == 0) port = atoi(value);
        else return fprintf(stderr, "unknown argument %s\n", arguments[i]), 64;
    }
    if (store == NULL) return fprintf(stderr, "--store is missing\n"), 64;
    open_store(store, durability);

    finished = eventfd(0, 0);
    require(finished >= 0, "eventfd");
    pthread_t writer;
    require(pthread_create(&writer, NULL, write_groups, NULL) == 0, "pthread_create");
    serve_forever(port, (struct service){.answer = answer, .wakeup = finished, .woken = answer_done});
}
