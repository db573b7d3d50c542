#ifndef MARVEL_RPC_CMALLOC_H
#define MARVEL_RPC_CMALLOC_H

#include <malloc.h>

/// Has malloc keep no more than that many arenas; where there is no such setting, nothing happens.
static inline void marvel_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

#endif
