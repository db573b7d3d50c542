/* FNV-1a, as marvel-server computes it. */
#ifndef FNV_H
#define FNV_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t fnv_start = 0xCBF29CE484222325;

static inline uint64_t hash_byte(uint64_t hash, uint8_t byte) { return (hash ^ byte) * 0x100000001B3; }

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t count) {
    for (size_t i = 0; i < count; i++) hash = hash_byte(hash, ((const uint8_t *)data)[i]);
    return hash;
}

static inline uint64_t hash_number(uint64_t hash, int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) hash = hash_byte(hash, (uint64_t)number >> shift);
    return hash;
}

#endif
