#include "characters.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ProtobufCBinaryData attribution;
static struct character *characters; /* In the order of their ids. */
static size_t character_count;

void append_format(struct bytes *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    vsnprintf((char *)reserve(text, length + 1), length + 1, format, arguments);
    va_end(arguments);
    text->length += length;
}

/* Only what needs no escapes, as a synthetic catalog's texts. */
static void append_text(struct bytes *json, const char *name, ProtobufCBinaryData text) {
    for (size_t i = 0; i < text.len; i++) {
        require(text.data[i] >= ' ' && text.data[i] != '"' && text.data[i] != '\\', "a text needs escapes");
    }
    append_format(json, "\"%s\":\"%.*s\"", name, (int)text.len, (const char *)text.data);
}

static void append_json(struct bytes *json, const Marvel__V1__Character *character) {
    append_format(json, "{\"comics\":%d,", character->comic_count);
    append_text(json, "description", character->description);
    append_format(json, ",\"events\":%d,\"id\":%lld,", character->event_count, (long long)character->id);
    if (character->modified != NULL) {
        append_format(json, "\"modified\":{\"nanoseconds\":%d,\"seconds\":%lld},", character->modified->nanos,
                      (long long)character->modified->seconds);
    }
    append_text(json, "name", character->name);
    append_format(json, ",\"series\":%d,\"stories\":%d,", character->series_count, character->story_count);
    if (character->thumbnail != NULL) {
        append_format(json, "\"thumbnail\":{");
        append_text(json, "fileExtension", character->thumbnail->file_extension);
        append_format(json, ",");
        append_text(json, "path", character->thumbnail->path);
        append_format(json, "},");
    }
    append_format(json, "\"urls\":[");
    for (size_t i = 0; i < character->n_urls; i++) {
        append_format(json, i == 0 ? "{" : ",{");
        append_text(json, "type", character->urls[i]->type);
        append_format(json, ",");
        append_text(json, "url", character->urls[i]->url);
        append_format(json, "}");
    }
    append_format(json, "]}");
}

static int compare(const void *left, const void *right) {
    int64_t l = ((const struct character *)left)->message->id, r = ((const struct character *)right)->message->id;
    return (l > r) - (l < r);
}

void read_characters(const char *path) {
    struct bytes file = {0};
    append_file(&file, path);
    Marvel__V1__SearchCharactersResponse *page =
        marvel__v1__search_characters_response__unpack(NULL, file.length, file.data);
    require(page != NULL, path);
    attribution = page->attribution;
    character_count = page->n_characters;
    characters = calloc(character_count, sizeof *characters);
    require(characters != NULL, "calloc");
    for (size_t i = 0; i < character_count; i++) {
        characters[i].message = page->characters[i];
        append_json(&characters[i].json, page->characters[i]);
    }
    qsort(characters, character_count, sizeof *characters, compare);
    free(file.data);
}

const struct character *find_character(int64_t id) {
    Marvel__V1__Character message = {.id = id};
    struct character wanted = {.message = &message};
    const struct character *found = bsearch(&wanted, characters, character_count, sizeof *characters, compare);
    require(found != NULL, "a character that is not in the table");
    return found;
}

void append_favorite(struct bytes *text, const struct favorite *favorite) {
    append_bytes(text, "{\"character\":", strlen("{\"character\":"));
    append_bytes(text, favorite->character->json.data, favorite->character->json.length);
    append_format(text, ",\"savedAt\":{\"nanoseconds\":%d,\"seconds\":%lld}}", favorite->saved_at.nanos,
                  (long long)favorite->saved_at.seconds);
}

/* Moves behind the next occurrence of a word. Within a text of the JSON its quotation marks would be escaped. */
static bool skip_to(const char **text, const char *word) {
    const char *found = strstr(*text, word);
    if (found != NULL) *text = found + strlen(word);
    return found != NULL;
}

bool next_favorite(const char **text, struct favorite *favorite) {
    if (!skip_to(text, "\"id\":")) return false;
    favorite->character = find_character(strtoll(*text, NULL, 10));
    favorite->saved_at = (Google__Protobuf__Timestamp)GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    if (!skip_to(text, "\"savedAt\":{\"nanoseconds\":")) return false;
    favorite->saved_at.nanos = strtol(*text, NULL, 10);
    if (!skip_to(text, "\"seconds\":")) return false;
    favorite->saved_at.seconds = strtoll(*text, NULL, 10);
    return true;
}
