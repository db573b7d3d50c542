#ifndef MARVEL_RPC_CCRYPTO_H
#define MARVEL_RPC_CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Writes the MD5 digest of `count` bytes into `digest`, which holds 16 bytes. Returns 1, or 0 if libcrypto refuses.
int ccrypto_md5(const void *bytes, size_t count, uint8_t *digest);

/// Writes the SHA-1 digest of `count` bytes into `digest`, which holds 20 bytes. Returns 1, or 0 if libcrypto refuses.
int ccrypto_sha1(const void *bytes, size_t count, uint8_t *digest);

/// Writes the SHA-256 digest of `head_count` bytes and the `rest_count` bytes after them into `digest`, which holds 32
/// bytes. Returns 1, or 0 if libcrypto fails.
int ccrypto_sha256(const void *head, size_t head_count, const void *rest, size_t rest_count, uint8_t *digest);

/// Returns 0 if `count` bytes of both are equal. The time does not depend on where they differ.
int ccrypto_compare(const void *left, const void *right, size_t count);

#endif
