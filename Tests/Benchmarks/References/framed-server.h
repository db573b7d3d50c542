/*
 * The common code of the references in C: byte buffers, frames, and a server of framed connections with one thread and
 * epoll. All that one read brought in is answered with one write.
 *
 * They are yardsticks and no servers: they check nothing, and a request over 64 KiB ends its connection.
 */
#ifndef FRAMED_SERVER_H
#define FRAMED_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pages.h"

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
    struct search search;
    struct stream *next;
};

struct connection {
    int socket;      /* -1 once it is closed. */
    uint32_t events; /* The events that epoll watches for. */
    unsigned calls;  /* That are answered later; the memory is kept for them. */
    struct bytes in, out;
    size_t sent; /* Of `out`. */
    struct stream *first, *last;
};

/* The work of a server, all on the thread of `serve_forever`. */
struct service {
    /* Answers all frames of a read instead of `answer`, or is NULL. Returns how many bytes are whole frames. */
    size_t (*answer_all)(struct connection *, const uint8_t *frames, size_t length);
    /* Answers a Request frame by writing to `out`, now or later. Returns whether the connection lives. */
    bool (*answer)(struct connection *, const uint8_t *frame, size_t length);
    /* Writes one page of a stream, and counts it; NULL if there are no streams. */
    void (*write_page)(struct connection *, struct stream *);
    /* An eventfd and what to call when it was written to; `woken` is NULL if there is none. */
    int wakeup;
    void (*woken)(void);
};

/* Ends the program with the message of `errno` unless the condition holds. */
void require(bool condition, const char *what);

/* Makes room, and returns where it begins. */
uint8_t *reserve(struct bytes *bytes, size_t count);
void append_bytes(struct bytes *bytes, const void *data, size_t count);
void append_file(struct bytes *bytes, const char *path);

uint32_t read_u32(const uint8_t *bytes);

/* Makes room for a frame, writes its header, and returns where its data goes. */
uint8_t *begin_frame(struct bytes *out, size_t length, uint32_t id, uint8_t type, uint8_t flags);

/* Adds a stream whose pages are sent in turn with those of the connection's others. */
void open_stream(struct connection *connection, uint32_t id, uint32_t pages, struct search search);

/* Sends bytes after those that wait, without a copy if none waits. */
void send_ready(struct connection *connection, const void *data, size_t count);

/* Sends what was written to `out` outside of `answer`. */
void flush(struct connection *connection);

/* A call is answered: frees the connection if it was closed meanwhile and this was its last call. */
void end_call(struct connection *connection);

/* Listens on 127.0.0.1, prints the port, and serves until the process ends. */
void serve_forever(uint16_t port, struct service service);

#endif
