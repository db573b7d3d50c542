/*
 * The least that a server of framed calls can cost: one thread, one epoll, the answer known before anyone asks.
 *
 *     bare-server [--port N] --response FILE [--pages N]
 *
 * FILE holds the encoded page that answers every call. A Request with flags 0 is answered by one Response frame, a Request
 * with flag 0x01 by `--pages` Data frames and the end of the stream. Each call's envelope and request are decoded by
 * libprotobuf-c, and its answer is encoded by it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CMarvelMessages.h"
#include "framed-server.h"

static uint32_t pages_per_stream = 100;
static struct bytes message; /* The answer. */
static Marvel__V1__SearchCharactersResponse *page;

static void write_response(struct bytes *out, uint32_t id) {
    static struct bytes payload;
    size_t length = marvel__v1__search_characters_response__get_packed_size(page);
    marvel__v1__search_characters_response__pack(page, reserve(&payload, length));
    Marvel__Rpc__V1__Response envelope = MARVEL__RPC__V1__RESPONSE__INIT;
    envelope.payload = (ProtobufCBinaryData){length, payload.data};
    uint8_t *data = begin_frame(out, marvel__rpc__v1__response__get_packed_size(&envelope), id, type_response, 0);
    marvel__rpc__v1__response__pack(&envelope, data);
}

static void write_page(struct connection *connection, struct stream *stream) {
    struct bytes *out = &connection->out;
    uint8_t flags = --stream->pages_left == 0 ? flag_remote_closed : 0;
    size_t length = marvel__v1__search_characters_response__get_packed_size(page);
    marvel__v1__search_characters_response__pack(page, begin_frame(out, length, stream->id, type_data, flags));
}

/* Whether the bytes are a call. */
static bool decode_request(const uint8_t *data, size_t length) {
    Marvel__Rpc__V1__Request *envelope = marvel__rpc__v1__request__unpack(NULL, length, data);
    if (envelope == NULL) return false;
    Marvel__V1__SearchCharactersRequest *search =
        marvel__v1__search_characters_request__unpack(NULL, envelope->payload.len, envelope->payload.data);
    bool is_search = search != NULL;
    if (is_search) marvel__v1__search_characters_request__free_unpacked(search, NULL);
    marvel__rpc__v1__request__free_unpacked(envelope, NULL);
    return is_search;
}

static bool answer(struct connection *connection, const uint8_t *frame, size_t length) {
    if (!decode_request(frame + header_size, length)) return false;
    uint32_t id = read_u32(frame + 4);
    if (!(frame[9] & flag_remote_closed)) write_response(&connection->out, id);
    else if (pages_per_stream > 0) open_stream(connection, id, pages_per_stream);
    else begin_frame(&connection->out, 0, id, type_data, flag_remote_closed | flag_no_data);
    return true;
}

static void prepare_answer(void) {
    page = marvel__v1__search_characters_response__unpack(NULL, message.length, message.data);
    require(page != NULL, "the answer is no page");
}

int main(int count, char **arguments) {
    uint16_t port = 0;
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(arguments[i], "--port") == 0) port = atoi(value), i++;
        else if (strcmp(arguments[i], "--pages") == 0) pages_per_stream = atoi(value), i++;
        else if (strcmp(arguments[i], "--response") == 0) append_file(&message, value), i++;
        else return fprintf(stderr, "unknown argument %s\n", arguments[i]), 64;
    }
    prepare_answer();
    serve_forever(port, (struct service){.answer = answer, .write_page = write_page});
}
