#define _GNU_SOURCE
#include "framed-server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

static struct service service;
static int poller;

void require(bool condition, const char *what) {
    if (condition) return;
    perror(what);
    exit(1);
}

/* MARK: Bytes and frames */

uint8_t *reserve(struct bytes *bytes, size_t count) {
    if (bytes->length + count > bytes->capacity) {
        bytes->capacity = 2 * (bytes->length + count);
        bytes->data = realloc(bytes->data, bytes->capacity);
        require(bytes->data != NULL, "realloc");
    }
    return bytes->data + bytes->length;
}

void append_bytes(struct bytes *bytes, const void *data, size_t count) {
    memcpy(reserve(bytes, count), data, count);
    bytes->length += count;
}

void append_file(struct bytes *bytes, const char *path) {
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    while (!feof(file)) {
        uint8_t *end = reserve(bytes, 4096);
        bytes->length += fread(end, 1, 4096, file);
        require(!ferror(file), path);
    }
    fclose(file);
}

uint32_t read_u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return ntohl(value);
}

static void write_u32(uint8_t *bytes, uint32_t value) {
    value = htonl(value);
    memcpy(bytes, &value, sizeof value);
}

uint8_t *begin_frame(struct bytes *out, size_t length, uint32_t id, uint8_t type, uint8_t flags) {
    uint8_t *frame = reserve(out, header_size + length);
    write_u32(frame, length);
    write_u32(frame + 4, id);
    frame[8] = type;
    frame[9] = flags;
    out->length += header_size + length;
    return frame + header_size;
}

/* MARK: Streams */

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

void open_stream(struct connection *connection, uint32_t id, uint32_t pages, struct search search) {
    struct stream *stream = malloc(sizeof *stream);
    require(stream != NULL, "malloc");
    *stream = (struct stream){id, pages, search, NULL};
    append(connection, stream);
}

/* One page of each stream in turn, until enough waits to be sent. */
static void write_pages(struct connection *connection) {
    while (connection->first != NULL && connection->out.length < unsent_limit) {
        struct stream *stream = take_first(connection);
        service.write_page(connection, stream);
        if (stream->pages_left > 0) append(connection, stream);
        else free(stream);
    }
}

/* MARK: Connections. Those of type bool return whether the connection lives. */

static bool read_requests(struct connection *connection) {
    struct bytes *in = &connection->in;
    ssize_t count = read(connection->socket, in->data + in->length, request_limit - in->length);
    if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
    in->length += count;
    size_t start = service.answer_all == NULL ? 0 : service.answer_all(connection, in->data, in->length);
    while (service.answer_all == NULL && in->length - start >= header_size) {
        uint8_t *frame = in->data + start;
        size_t length = read_u32(frame);
        if (length > request_limit - header_size) return false;
        if (in->length - start < header_size + length) break;
        /* Frames of other types are ignored, as a plain server does with types that it does not know. */
        if (frame[8] == type_request && !service.answer(connection, frame, length)) return false;
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

void send_ready(struct connection *connection, const void *data, size_t count) {
    ssize_t sent = connection->out.length > 0 ? 0 : write(connection->socket, data, count);
    if (sent < 0) sent = 0; /* An error comes again. */
    append_bytes(&connection->out, (const uint8_t *)data + sent, count - sent);
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

static void free_unless_needed(struct connection *connection) {
    if (connection->socket >= 0 || connection->calls > 0) return;
    free(connection->in.data);
    free(connection->out.data);
    while (connection->first != NULL) free(take_first(connection));
    free(connection);
}

static void serve(struct connection *connection, uint32_t events) {
    bool lives = !(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || read_requests(connection);
    if (lives && connection->sent == 0) write_pages(connection);
    if (lives && write_answers(connection)) return watch(connection);
    close(connection->socket);
    connection->socket = -1;
    free_unless_needed(connection);
}

void flush(struct connection *connection) {
    if (connection->socket >= 0 && connection->out.length > 0) serve(connection, 0);
}

void end_call(struct connection *connection) {
    connection->calls--;
    free_unless_needed(connection);
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

/* MARK: The server */

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

static void watch_always(int descriptor, void *mark) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};
    require(epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl");
}

void serve_forever(uint16_t port, struct service given) {
    service = given;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    poller = epoll_create1(0);
    require(poller >= 0, "epoll_create1");
    int listener = listen_on(port);
    watch_always(listener, NULL);
    if (service.woken != NULL) watch_always(service.wakeup, &service);
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(poller, events, 256, -1);
        bool woken = false;
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == NULL) accept_connection(listener);
            else if (events[i].data.ptr == &service) woken = true;
            else serve(events[i].data.ptr, events[i].events);
        }
        /* After the connections of these events, any of which it may free. */
        if (woken) {
            require(read(service.wakeup, &(uint64_t){0}, sizeof(uint64_t)) > 0, "eventfd");
            service.woken();
        }
    }
}
