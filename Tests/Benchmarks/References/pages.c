#include "pages.h"

#include <stdlib.h>
#include <string.h>

#include "CMarvelMessages.h"
#include "fnv.h"
#include "framed-server.h"

enum { token_bytes = 27, token_version = 3, kind_synthetic = 2, match_prefix = 0 };
enum { query_limit = 400, list_slots = 1024, first_id = 2000000 };

struct list {
    uint8_t *name;
    size_t name_length, count;
    int64_t ids[favorites_limit];
};

static uint32_t count;
static uint64_t *heads;      /* The first eight bytes of each folded name, big-endian. */
static const char **names;   /* Folded, with a NUL, in order. */
static struct bytes encoded; /* All characters. */
static size_t *offsets;      /* The start of each, and the end of the last. */
static int64_t *ids;
static uint16_t *name_hashes;
static uint32_t *positions; /* By id. */
static struct text tail;
static struct list lists[list_slots];

uint32_t catalog_count(void) { return count; }

struct text page_tail(void) { return tail; }

struct text encoded_characters(uint32_t first, uint32_t number) {
    return (struct text){encoded.data + offsets[first], offsets[first + number] - offsets[first]};
}

/* MARK: Reading */

static uint64_t read_u64(const uint8_t *bytes) { return (uint64_t)read_u32(bytes) << 32 | read_u32(bytes + 4); }

static struct text take_text(const uint8_t **place) {
    struct text text = {*place + 4, read_u32(*place)};
    *place = text.data + text.length;
    return text;
}

static uint64_t head(const uint8_t *name, size_t length) {
    uint8_t bytes[8] = {0};
    memcpy(bytes, name, length < sizeof bytes ? length : sizeof bytes);
    return read_u64(bytes);
}

/* The hash of the name in an encoded element. */
static uint16_t name_hash(struct text element) {
    Marvel__V1__SearchCharactersResponse *page =
        marvel__v1__search_characters_response__unpack(NULL, element.length, element.data);
    require(page != NULL && page->n_characters == 1, "the catalog is invalid");
    ProtobufCBinaryData name = page->characters[0]->name;
    uint64_t hash = hash_bytes(fnv_start, name.data, name.len);
    marvel__v1__search_characters_response__free_unpacked(page, NULL);
    uint16_t folded = hash ^ hash >> 32;
    return folded > 0 ? folded : 1;
}

void read_catalog(const char *path) {
    struct bytes file = {0};
    append_file(&file, path);
    const uint8_t *place = file.data;
    count = read_u32(place);
    place += 4;
    tail = take_text(&place);
    heads = calloc(count, sizeof *heads);
    names = calloc(count, sizeof *names);
    offsets = calloc(count + 1, sizeof *offsets);
    ids = calloc(count, sizeof *ids);
    positions = calloc(count, sizeof *positions);
    name_hashes = calloc(count, sizeof *name_hashes);
    require(heads && names && offsets && ids && positions && name_hashes, "calloc");
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = read_u64(place);
        positions[ids[i] - first_id] = i;
        place += 8;
        struct text name = take_text(&place), character = take_text(&place);
        names[i] = strndup((const char *)name.data, name.length);
        heads[i] = head(name.data, name.length);
        append_bytes(&encoded, character.data, character.length);
        name_hashes[i] = name_hash(character);
        offsets[i + 1] = encoded.length;
    }
}

static struct list *find_list(struct text name) {
    size_t slot = hash_bytes(fnv_start, name.data, name.length) % list_slots;
    while (lists[slot].name != NULL && (lists[slot].name_length != name.length ||
                                        memcmp(lists[slot].name, name.data, name.length) != 0)) {
        slot = (slot + 1) % list_slots;
    }
    return &lists[slot];
}

void read_lists(const char *path) {
    struct bytes file = {0};
    append_file(&file, path);
    for (size_t start = 0; start < file.length; start += header_size + read_u32(file.data + start)) {
        Marvel__Rpc__V1__Request *envelope = marvel__rpc__v1__request__unpack(
            NULL, read_u32(file.data + start), file.data + start + header_size);
        require(envelope != NULL, path);
        Marvel__V1__ToggleFavoriteRequest *toggle =
            marvel__v1__toggle_favorite_request__unpack(NULL, envelope->payload.len, envelope->payload.data);
        require(toggle != NULL, path);
        struct list *list = find_list((struct text){toggle->list.data, toggle->list.len});
        if (list->name == NULL) {
            list->name = memcpy(malloc(toggle->list.len), toggle->list.data, toggle->list.len);
            list->name_length = toggle->list.len;
        }
        list->ids[list->count++] = toggle->character_id;
        marvel__v1__toggle_favorite_request__free_unpacked(toggle, NULL);
        marvel__rpc__v1__request__free_unpacked(envelope, NULL);
    }
}

/* MARK: Tokens (PageToken.swift has their format) */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void write_number(uint8_t *bytes, uint64_t value, int size) {
    for (int i = size - 1; i >= 0; i--, value >>= 8) bytes[i] = value;
}

static uint32_t token_checksum(const uint8_t *bytes) {
    uint64_t hash = hash_bytes(fnv_start, bytes, 23);
    return hash ^ hash >> 32;
}

static void write_token(uint8_t *text, uint32_t offset, uint16_t last_hash, int64_t last_id, uint64_t fingerprint) {
    uint8_t bytes[token_bytes] = {token_version};
    write_number(bytes + 1, last_hash, 2);
    write_number(bytes + 3, offset, 4);
    write_number(bytes + 7, last_id, 8);
    write_number(bytes + 15, fingerprint, 8);
    write_number(bytes + 23, token_checksum(bytes), 4);
    for (int i = 0; i < token_bytes; i += 3, text += 4) {
        uint32_t group = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
        for (int j = 0; j < 4; j++) text[j] = letters[group >> (18 - 6 * j) & 63];
    }
}

static bool read_token(struct text text, uint64_t fingerprint, int64_t *last_id) {
    static uint8_t values[256];
    if (values['B'] == 0) {
        for (int i = 0; i < 64; i++) values[(uint8_t)letters[i]] = i;
    }
    if (text.length != token_size) return false;
    uint8_t bytes[token_bytes];
    for (int i = 0; i < token_bytes; i += 3) {
        const uint8_t *four = text.data + i / 3 * 4;
        uint32_t group = values[four[0]] << 18 | values[four[1]] << 12 | values[four[2]] << 6 | values[four[3]];
        write_number(bytes + i, group, 3);
    }
    *last_id = read_u64(bytes + 7);
    return bytes[0] == token_version && read_u32(bytes + 23) == token_checksum(bytes) &&
           read_u64(bytes + 15) == fingerprint;
}

/* MARK: Searching */

/* Trims a query of ASCII, and makes its inner white space single spaces. */
static size_t normalize(struct text query, uint8_t *text) {
    size_t length = 0;
    for (size_t i = 0; i < query.length && length < query_limit; i++) {
        bool is_space = query.data[i] == ' ' || (query.data[i] >= '\t' && query.data[i] <= '\r');
        if (!is_space) text[length++] = query.data[i];
        else if (length > 0 && text[length - 1] != ' ') text[length++] = ' ';
    }
    return length > 0 && text[length - 1] == ' ' ? length - 1 : length;
}

/* The first position whose name is not before the names that begin with the prefix, or that is behind them. */
static uint32_t position(const uint8_t *prefix, size_t length, bool is_behind) {
    uint64_t wanted = head(prefix, length), mask = length < 8 ? ~(UINT64_MAX >> 8 * length) : UINT64_MAX;
    uint32_t first = 0, end = count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        uint64_t own = heads[middle] & mask;
        int order = own < wanted ? -1 : own > wanted;
        if (order == 0 && length > 8) order = strncmp(names[middle] + 8, (const char *)prefix + 8, length - 8);
        if (order < 0 || (order == 0 && is_behind)) first = middle + 1;
        else end = middle;
    }
    return first;
}

bool begin_search(struct search *search, struct text query, struct text token, uint32_t skip, uint32_t page_size,
                  struct text list) {
    uint8_t text[query_limit];
    size_t length = normalize(query, text);
    uint64_t hash = hash_byte(hash_byte(fnv_start, kind_synthetic), match_prefix);
    search->fingerprint = hash_bytes(hash, text, length);
    for (size_t i = 0; i < length; i++) {
        if (text[i] >= 'A' && text[i] <= 'Z') text[i] |= 0x20;
    }
    search->first = position(text, length, false);
    search->total = position(text, length, true) - search->first;
    search->page_size = page_size == 0 ? 10 : page_size < page_limit ? page_size : page_limit;
    search->offset = skip;
    search->list = find_list(list);
    if (token.length == 0) return true;
    int64_t last_id;
    if (!read_token(token, search->fingerprint, &last_id)) return false;
    search->offset += positions[last_id - first_id] - search->first + 1;
    return true;
}

static void mark_favorites(const struct list *list, struct page *page) {
    page->favorite_count = 0;
    if (list->count == 0) return;
    for (uint32_t i = 0; i < page->count; i++) {
        int64_t id = ids[page->first + i];
        for (size_t j = 0; j < list->count; j++) {
            if (list->ids[j] == id) page->favorites[page->favorite_count++] = id;
        }
    }
}

bool next_page(struct search *search, struct page *page) {
    uint32_t start = search->offset < search->total ? search->offset : search->total;
    uint32_t left = search->total - start;
    page->first = search->first + start;
    page->count = left < search->page_size ? left : search->page_size;
    page->total = search->total;
    mark_favorites(search->list, page);
    search->offset = start + page->count;
    bool has_more = search->offset < search->total;
    page->token_length = has_more ? token_size : 0;
    if (has_more) {
        uint32_t last = page->first + page->count - 1;
        bool has_last = page->count > 0;
        write_token(page->token, search->offset, has_last ? name_hashes[last] : 0, has_last ? ids[last] : 0,
                    search->fingerprint);
    }
    return has_more;
}
