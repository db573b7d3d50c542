/*
 * The least that a server of framed pages can cost: one thread, one epoll, and a catalog in memory.
 *
 *     pages-server --catalog FILE --lists FILE [--encode] [--port N]
 *
 * Each call's envelope and request are decoded by libprotobuf-c, and its page is found by binary search. The characters
 * of a page are copied as bytes; with `--encode` libprotobuf-c encodes them from objects that are ready. A Request with flags 0
 * is answered by one Response frame, a Request with flag 0x01 by Data frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CMarvelMessages.h"
#include "framed-server.h"
#include "pages.h"

static Marvel__V1__Character **characters; /* By position; NULL if characters are copied. */
static Marvel__V1__SearchCharactersResponse *tail;

/* MARK: Pages that are copied */

static size_t varint_size(uint64_t value) {
    size_t size = 1;
    while (value >>= 7) size++;
    return size;
}

static uint8_t *write_varint(uint8_t *place, uint64_t value) {
    for (; value > 0x7F; value >>= 7) *place++ = value | 0x80;
    *place++ = value;
    return place;
}

static uint8_t *write_field(uint8_t *place, uint8_t tag, const void *data, size_t length) {
    *place++ = tag;
    place = write_varint(place, length);
    return (uint8_t *)memcpy(place, data, length) + length;
}

static size_t favorites_size(const struct page *page) {
    size_t size = 0;
    for (size_t i = 0; i < page->favorite_count; i++) size += varint_size(page->favorites[i]);
    return size;
}

static size_t copied_size(const struct page *page) {
    size_t favorites = favorites_size(page);
    return encoded_characters(page->first, page->count).length + page_tail().length +
           (page->total == 0 ? 0 : 1 + varint_size(page->total)) +
           (page->token_length == 0 ? 0 : 2 + page->token_length) +
           (favorites == 0 ? 0 : 1 + varint_size(favorites) + favorites);
}

static void copy_page(const struct page *page, uint8_t *place) {
    struct text run = encoded_characters(page->first, page->count);
    place = (uint8_t *)memcpy(place, run.data, run.length) + run.length;
    if (page->total > 0) {
        *place++ = 2 << 3;
        place = write_varint(place, page->total);
    }
    if (page->token_length > 0) place = write_field(place, 3 << 3 | 2, page->token, page->token_length);
    if (page->favorite_count > 0) {
        *place++ = 4 << 3 | 2;
        place = write_varint(place, favorites_size(page));
        for (size_t i = 0; i < page->favorite_count; i++) place = write_varint(place, page->favorites[i]);
    }
    memcpy(place, page_tail().data, page_tail().length);
}

/* MARK: Pages that are encoded */

static Marvel__V1__SearchCharactersResponse message(struct page *page) {
    Marvel__V1__SearchCharactersResponse message = *tail;
    message.n_characters = page->count;
    message.characters = characters + page->first;
    message.total = page->total;
    message.next_page_token = (ProtobufCBinaryData){page->token_length, page->token};
    message.n_favorite_ids = page->favorite_count;
    message.favorite_ids = page->favorites;
    return message;
}

/* Decodes all characters, so that they are ready to be encoded. */
static void decode_characters(void) {
    tail = marvel__v1__search_characters_response__unpack(NULL, page_tail().length, page_tail().data);
    characters = calloc(catalog_count(), sizeof *characters);
    require(tail != NULL && characters != NULL, "the catalog is invalid");
    for (uint32_t i = 0; i < catalog_count(); i++) {
        struct text element = encoded_characters(i, 1);
        Marvel__V1__SearchCharactersResponse *page =
            marvel__v1__search_characters_response__unpack(NULL, element.length, element.data);
        require(page != NULL && page->n_characters == 1, "the catalog is invalid");
        characters[i] = page->characters[0];
    }
}

/* MARK: Answers */

static void write_response(struct bytes *out, uint32_t id, struct page *page) {
    size_t length;
    Marvel__V1__SearchCharactersResponse encoded;
    if (characters == NULL) {
        length = copied_size(page);
    } else {
        encoded = message(page);
        length = marvel__v1__search_characters_response__get_packed_size(&encoded);
    }
    /* The envelope's only field is the payload. */
    uint8_t *place = begin_frame(out, 1 + varint_size(length) + length, id, type_response, 0);
    *place++ = 2 << 3 | 2;
    place = write_varint(place, length);
    if (characters == NULL) copy_page(page, place);
    else marvel__v1__search_characters_response__pack(&encoded, place);
}

static void write_page(struct connection *connection, struct stream *stream) {
    struct page page;
    bool is_last = !next_page(&stream->search, &page) || stream->pages_left == 1;
    stream->pages_left = is_last ? 0 : stream->pages_left - 1;
    uint8_t flags = is_last ? flag_remote_closed : 0;
    if (characters == NULL) {
        copy_page(&page, begin_frame(&connection->out, copied_size(&page), stream->id, type_data, flags));
    } else {
        Marvel__V1__SearchCharactersResponse encoded = message(&page);
        size_t length = marvel__v1__search_characters_response__get_packed_size(&encoded);
        uint8_t *place = begin_frame(&connection->out, length, stream->id, type_data, flags);
        marvel__v1__search_characters_response__pack(&encoded, place);
    }
}

static struct text text(ProtobufCBinaryData field) { return (struct text){field.data, field.len}; }

static bool answer(struct connection *connection, const uint8_t *frame, size_t length) {
    Marvel__Rpc__V1__Request *envelope = marvel__rpc__v1__request__unpack(NULL, length, frame + header_size);
    if (envelope == NULL) return false;
    Marvel__V1__SearchCharactersRequest *request =
        marvel__v1__search_characters_request__unpack(NULL, envelope->payload.len, envelope->payload.data);
    struct search search;
    bool is_valid = request != NULL && begin_search(&search, text(request->query), text(request->page_token),
                                                    request->skip, request->page_size, text(request->list));
    if (is_valid && frame[9] & flag_remote_closed) {
        open_stream(connection, read_u32(frame + 4), request->max_pages, search);
    } else if (is_valid) {
        struct page page;
        next_page(&search, &page);
        write_response(&connection->out, read_u32(frame + 4), &page);
    }
    if (request != NULL) marvel__v1__search_characters_request__free_unpacked(request, NULL);
    marvel__rpc__v1__request__free_unpacked(envelope, NULL);
    return is_valid;
}

int main(int count, char **arguments) {
    uint16_t port = 0;
    bool encodes = false;
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(arguments[i], "--encode") == 0) encodes = true;
        else if (strcmp(arguments[i], "--port") == 0) port = atoi(value), i++;
        else if (strcmp(arguments[i], "--catalog") == 0) read_catalog(value), i++;
        else if (strcmp(arguments[i], "--lists") == 0) read_lists(value), i++;
        else return fprintf(stderr, "unknown argument %s\n", arguments[i]), 64;
    }
    if (encodes) decode_characters();
    serve_forever(port, (struct service){.answer = answer, .write_page = write_page});
}
