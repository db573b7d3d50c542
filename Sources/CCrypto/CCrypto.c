#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>

int ccrypto_md5(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}

int ccrypto_sha1(const void *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha1(), NULL);
}

/* libcrypto looks up EVP_sha256() again for each digest, which takes longer than a digest of 50 bytes. */
static EVP_MD *sha256;
static pthread_once_t sha256_once = PTHREAD_ONCE_INIT;

static void fetch_sha256(void) { sha256 = EVP_MD_fetch(NULL, "SHA256", NULL); }

int ccrypto_sha256(const void *bytes, size_t count, uint8_t *digest) {
    pthread_once(&sha256_once, fetch_sha256);
    return sha256 != NULL && EVP_Digest(bytes, count, digest, NULL, sha256, NULL);
}

int ccrypto_compare(const void *left, const void *right, size_t count) {
    return CRYPTO_memcmp(left, right, count);
}
