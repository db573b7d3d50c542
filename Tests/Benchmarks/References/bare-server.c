/*
 * The least that a server of framed calls can cost: one thread, one epoll, the answer known before anyone asks.
 *
 *     bare-server [--port N] [--response FILE] [--encode] [--pages N]
 *
 * FILE holds the encoded message that answers every call; without it the answer is empty. A Request with flags 0 is
 * answered by one Response frame, a Request with flag 0x01 by `--pages` Data frames and the end of the stream. With
 * `--encode` each call's envelope and request are decoded and its answer is encoded, by libprotobuf-c; else the bytes
 * are sent as they lie in FILE, whatever was asked. All that one read brought in is answered with one write.
 *
 * It is a yardstick and no server: it checks nothing, and a request over 64 KiB ends the connection.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CMarvelMessages.h"

enum { header_size = 10, request_limit = 64 * 1024, unsent_limit = 64 * 1024 };
enum { type_request = 1, type_response = 2, type_data = 3 };
enum { flag_remote_closed = 1, flag_no_data = 4 };

struct bytes {
    uint8_t *data;
    size_t length, capacity;
};

/* A stream that has pages to send. */
struct stream {
    uint32_t id, pages_left;
    struct stream *next;
};

struct connection {
    int socket;
    uint32_t events; /* What epoll watches for. */
    struct bytes in, out;
    size_t sent; /* Of `out`. */
    struct stream *first, *last;
};

static bool encodes;
static uint32_t pages_per_stream = 100;
static struct bytes message;  /* The answer. */
static struct bytes response; /* The answer in a ttrpc Response. */
static Marvel__V1__SearchCharactersResponse *page;
static int poller;

static void require(bool condition, const char *what) {
    if (condition) return;
    perror(what);
    exit(1);
}

/* MARK: Bytes and frames */

static uint8_t *reserve(struct bytes *bytes, size_t count) {
    if (bytes->length + count > bytes->capacity) {
        bytes->capacity = 2 * (bytes->length + count);
        bytes->data = realloc(bytes->data, bytes->capacity);
        require(bytes->data != NULL, "realloc");
    }
    return bytes->data + bytes->length;
}

static uint32_t read_u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return ntohl(value);
}

static void write_u32(uint8_t *bytes, uint32_t value) {
    value = htonl(value);
    memcpy(bytes, &value, sizeof value);
}

/* Makes room for a frame, writes its header, and returns where its data goes. */
static uint8_t *begin_frame(struct bytes *out, size_t length, uint32_t id, uint8_t type, uint8_t flags) {
    uint8_t *frame = reserve(out, header_size + length);
    write_u32(frame, length);
    write_u32(frame + 4, id);
    frame[8] = type;
    frame[9] = flags;
    out->length += header_size + length;
    return frame + header_size;
}

/* MARK: Answers */

static void write_encoded_response(struct bytes *out, uint32_t id) {
    static struct bytes payload;
    size_t length = marvel__v1__search_characters_response__get_packed_size(page);
    marvel__v1__search_characters_response__pack(page, reserve(&payload, length));
    Marvel__Rpc__V1__Response envelope = MARVEL__RPC__V1__RESPONSE__INIT;
    envelope.payload = (ProtobufCBinaryData){length, payload.data};
    uint8_t *data = begin_frame(out, marvel__rpc__v1__response__get_packed_size(&envelope), id, type_response, 0);
    marvel__rpc__v1__response__pack(&envelope, data);
}

static void write_response(struct bytes *out, uint32_t id) {
    if (encodes) return write_encoded_response(out, id);
    memcpy(begin_frame(out, response.length, id, type_response, 0), response.data, response.length);
}

static void write_page(struct bytes *out, struct stream *stream) {
    uint8_t flags = --stream->pages_left == 0 ? flag_remote_closed : 0;
    if (encodes) {
        size_t length = marvel__v1__search_characters_response__get_packed_size(page);
        marvel__v1__search_characters_response__pack(page, begin_frame(out, length, stream->id, type_data, flags));
    } else {
        memcpy(begin_frame(out, message.length, stream->id, type_data, flags), message.data, message.length);
    }
}

/* Whether the bytes are a call; looked at only by the server that encodes. */
static bool decode_request(const uint8_t *data, size_t length) {
    if (!encodes) return true;
    Marvel__Rpc__V1__Request *envelope = marvel__rpc__v1__request__unpack(NULL, length, data);
    if (envelope == NULL) return false;
    Marvel__V1__SearchCharactersRequest *search =
        marvel__v1__search_characters_request__unpack(NULL, envelope->payload.len, envelope->payload.data);
    bool is_search = search != NULL;
    if (is_search) marvel__v1__search_characters_request__free_unpacked(search, NULL);
    marvel__rpc__v1__request__free_unpacked(envelope, NULL);
    return is_search;
}

static void append(struct connection *connection, struct stream *stream) {
    if (connection->first == NULL) connection->first = stream;
    else connection->last->next = stream;
    connection->last = stream;
}

static struct stream *take_first(struct connection *connection) {
    struct stream *stream = connection->first;
    connection->first = stream->next;
    stream->next = NULL;
    return stream;
}

static bool answer(struct connection *connection, const uint8_t *frame, size_t length) {
    if (frame[8] != type_request) return true; /* What a plain server does with types that it does not know. */
    if (!decode_request(frame + header_size, length)) return false;
    uint32_t id = read_u32(frame + 4);
    if (!(frame[9] & flag_remote_closed)) {
        write_response(&connection->out, id);
    } else if (pages_per_stream == 0) {
        begin_frame(&connection->out, 0, id, type_data, flag_remote_closed | flag_no_data);
    } else {
        struct stream *stream = malloc(sizeof *stream);
        require(stream != NULL, "malloc");
        *stream = (struct stream){id, pages_per_stream, NULL};
        append(connection, stream);
    }
    return true;
}

/* One page of each stream in turn, until enough waits to be sent. */
static void write_pages(struct connection *connection) {
    while (connection->first != NULL && connection->out.length < unsent_limit) {
        struct stream *stream = take_first(connection);
        write_page(&connection->out, stream);
        if (stream->pages_left > 0) append(connection, stream);
        else free(stream);
    }
}

/* MARK: Connections. Each of these returns whether the connection lives. */

static bool read_requests(struct connection *connection) {
    struct bytes *in = &connection->in;
    ssize_t count = read(connection->socket, in->data + in->length, request_limit - in->length);
    if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
    in->length += count;
    size_t start = 0;
    while (in->length - start >= header_size) {
        uint8_t *frame = in->data + start;
        size_t length = read_u32(frame);
        if (length > request_limit - header_size) return false;
        if (in->length - start < header_size + length) break;
        if (!answer(connection, frame, length)) return false;
        start += header_size + length;
    }
    in->length -= start;
    memmove(in->data, in->data + start, in->length);
    return true;
}

static bool write_answers(struct connection *connection) {
    struct bytes *out = &connection->out;
    if (connection->sent < out->length) {
        ssize_t count = write(connection->socket, out->data + connection->sent, out->length - connection->sent);
        if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
        if (count > 0) connection->sent += count;
    }
    if (connection->sent == out->length) connection->sent = out->length = 0;
    return true;
}

/* Nothing is read from a client that does not read. */
static void watch(struct connection *connection) {
    uint32_t events = connection->sent < connection->out.length ? EPOLLOUT : EPOLLIN;
    if (connection->first != NULL) events |= EPOLLOUT;
    if (events == connection->events) return;
    connection->events = events;
    struct epoll_event event = {.events = events, .data.ptr = connection};
    require(epoll_ctl(poller, EPOLL_CTL_MOD, connection->socket, &event) == 0, "epoll_ctl");
}

static void serve(struct connection *connection, uint32_t events) {
    bool lives = !(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || read_requests(connection);
    if (lives && connection->sent == 0) write_pages(connection);
    if (lives && write_answers(connection)) return watch(connection);
    close(connection->socket);
    free(connection->in.data);
    free(connection->out.data);
    while (connection->first != NULL) free(take_first(connection));
    free(connection);
}

static void accept_connection(int listener) {
    int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (socket < 0) return;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct connection *connection = calloc(1, sizeof *connection);
    require(connection != NULL, "calloc");
    connection->socket = socket;
    connection->events = EPOLLIN;
    reserve(&connection->in, request_limit);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    require(epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) == 0, "epoll_ctl");
}

/* MARK: The program */

static void read_message(const char *path) {
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    while (!feof(file)) {
        uint8_t *end = reserve(&message, 4096);
        message.length += fread(end, 1, 4096, file);
        require(!ferror(file), path);
    }
    fclose(file);
}

static void prepare_answer(void) {
    reserve(&message, 1); /* An empty answer has an address too. */
    Marvel__Rpc__V1__Response envelope = MARVEL__RPC__V1__RESPONSE__INIT;
    envelope.payload = (ProtobufCBinaryData){message.length, message.data};
    response.length = marvel__rpc__v1__response__pack(
        &envelope, reserve(&response, 1 + marvel__rpc__v1__response__get_packed_size(&envelope)));
    if (!encodes) return;
    page = marvel__v1__search_characters_response__unpack(NULL, message.length, message.data);
    require(page != NULL, "the answer is no page");
}

static int listen_on(uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    require(listener >= 0, "socket");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    require(bind(listener, (struct sockaddr *)&address, size) == 0, "bind");
    require(listen(listener, 4096) == 0, "listen");
    require(getsockname(listener, (struct sockaddr *)&address, &size) == 0, "getsockname");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(int count, char **arguments) {
    uint16_t port = 0;
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(arguments[i], "--encode") == 0) encodes = true;
        else if (strcmp(arguments[i], "--port") == 0) port = atoi(value), i++;
        else if (strcmp(arguments[i], "--pages") == 0) pages_per_stream = atoi(value), i++;
        else if (strcmp(arguments[i], "--response") == 0) read_message(value), i++;
        else return fprintf(stderr, "unknown argument %s\n", arguments[i]), 64;
    }
    prepare_answer();

    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    poller = epoll_create1(0);
    require(poller >= 0, "epoll_create1");
    int listener = listen_on(port);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    require(epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event) == 0, "epoll_ctl");
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == NULL) accept_connection(listener);
            else serve(events[i].data.ptr, events[i].events);
        }
    }
}
