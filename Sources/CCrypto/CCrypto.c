/* For SHA256_Init and the functions after it. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

int ccrypto_md5(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}

int ccrypto_sha1(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha1(), NULL);
}

/* EVP's functions allocate memory for each digest, which takes longer than the digest of a row. */
int ccrypto_sha256(const void *head, size_t head_count, const void *rest, size_t rest_count, uint8_t *digest) {
    SHA256_CTX context;
    return SHA256_Init(&context) && SHA256_Update(&context, head, head_count)
        && SHA256_Update(&context, rest, rest_count) && SHA256_Final(digest, &context);
}

int ccrypto_compare(const void *left, const void *right, size_t count) {
    return CRYPTO_memcmp(left, right, count);
}
