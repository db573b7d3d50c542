/*
 * The least that answers of a size can cost on this machine: one thread, one epoll, ready bytes.
 *
 *     floor-server --response FILE [--port N]
 *
 * All requests that one read brought in are answered by one write. Of a request only its length and its stream's id are
 * read. The answer is FILE as the payload of a Response frame, the same for each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "framed-server.h"

enum { batch = 64 };

static struct bytes ready; /* As many answers as are written at once. */
static size_t answer_size;

static void prepare_answers(const char *path) {
    struct bytes payload = {0};
    append_file(&payload, path);
    /* The envelope's only field is the payload: its tag, and its length in two bytes. */
    require(payload.length >> 7 > 0 && payload.length >> 14 == 0, "a page of another size");
    for (int i = 0; i < batch; i++) {
        uint8_t *data = begin_frame(&ready, 3 + payload.length, 0, type_response, 0);
        data[0] = 2 << 3 | 2;
        data[1] = payload.length | 0x80;
        data[2] = payload.length >> 7;
        memcpy(data + 3, payload.data, payload.length);
    }
    answer_size = ready.length / batch;
}

/* Writes the ready answers of one read, and what does not fit later. */
static size_t answer_all(struct connection *connection, const uint8_t *frames, size_t length) {
    size_t start = 0, answers = 0;
    while (length - start >= header_size && length - start >= header_size + read_u32(frames + start)) {
        if (answers == batch) {
            append_bytes(&connection->out, ready.data, ready.length);
            answers = 0;
        }
        memcpy(ready.data + answers++ * answer_size + 4, frames + start + 4, 4);
        start += header_size + read_u32(frames + start);
    }
    send_ready(connection, ready.data, answers * answer_size);
    return start;
}

int main(int count, char **arguments) {
    uint16_t port = 0;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--port") == 0) port = atoi(arguments[i + 1]);
        else if (strcmp(arguments[i], "--response") == 0) prepare_answers(arguments[i + 1]);
        else return fprintf(stderr, "unknown argument %s\n", arguments[i]), 64;
    }
    serve_forever(port, (struct service){.answer_all = answer_all});
}
