/* A small table of characters, and the text of favorites as marvel-server stores it. */
#ifndef CHARACTERS_H
#define CHARACTERS_H

#include "CMarvelMessages.h"
#include "framed-server.h"

/* A favorite: a character of the table, and when it was saved. */
struct favorite {
    const struct character *character;
    Google__Protobuf__Timestamp saved_at;
};

struct character {
    Marvel__V1__Character *message;
    struct bytes json; /* Made once. */
};

/* The text that every answer with characters carries. */
extern ProtobufCBinaryData attribution;

/* Reads the characters of an encoded SearchCharactersResponse. */
void read_characters(const char *path);

/* Returns a character of the table; a request for another one ends the program. */
const struct character *find_character(int64_t id);

/* Writes the JSON of a favorite, and reads it: the next one in a text, whose start is moved behind it; else false. */
void append_favorite(struct bytes *text, const struct favorite *favorite);
bool next_favorite(const char **text, struct favorite *favorite);

void append_format(struct bytes *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
