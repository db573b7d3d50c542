#ifndef MARVEL_RPC_CPREFETCH_H
#define MARVEL_RPC_CPREFETCH_H

/// Asks for the memory there, which will be read soon, and does not wait for it. It may be any address.
static inline void marvel_prefetch(const void *address) {
    __builtin_prefetch(address);
}

#endif
