/* The pages of a synthetic catalog, found as marvel-server finds them. */
#ifndef PAGES_H
#define PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { token_size = 36, favorites_limit = 5, page_limit = 100 };

struct text {
    const uint8_t *data;
    size_t length;
};

/* The characters of a page are those at the positions from `first` on. */
struct page {
    uint32_t first, count, total;
    size_t token_length; /* 0 on the last page. */
    uint8_t token[token_size];
    size_t favorite_count;
    int64_t favorites[favorites_limit];
};

/* A search, and the start of its next page. */
struct search {
    uint64_t fingerprint;
    uint32_t first, total, offset, page_size;
    const struct list *list;
};

/* Reads what marvel-bench writes: the catalog, and toggles of favorites as frames. Nothing else changes them. */
void read_catalog(const char *path);
void read_lists(const char *path);

/* The number of characters, and the encoding of one as an element of a page. */
uint32_t catalog_count(void);
struct text encoded_characters(uint32_t first, uint32_t count);
/* The encoding of the fields of a page that are the same in all. */
struct text page_tail(void);

/* Returns false if the token is invalid. */
bool begin_search(struct search *search, struct text query, struct text token, uint32_t skip, uint32_t page_size,
                  struct text list);
/* Finds the next page. Returns whether another follows. */
bool next_page(struct search *search, struct page *page);

#endif
