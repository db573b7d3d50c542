#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

int ccrypto_md5(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}

int ccrypto_sha1(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha1(), NULL);
}

int ccrypto_sha256(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}

int ccrypto_compare(const void *left, const void *right, size_t count) {
    return CRYPTO_memcmp(left, right, count);
}
