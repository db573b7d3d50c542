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

/* libcrypto looks up EVP_sha256() again for each digest, and makes a context, which takes longer than a digest of 50
   bytes. So each thread keeps a context. */
static EVP_MD *sha256;
static pthread_key_t sha256_context;
static pthread_once_t sha256_once = PTHREAD_ONCE_INIT;

static void free_context(void *context) { EVP_MD_CTX_free(context); }

static void prepare_sha256(void) {
    if (pthread_key_create(&sha256_context, free_context) == 0) sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

int ccrypto_sha256(const void *head, size_t head_count, const void *rest, size_t rest_count, uint8_t *digest) {
    pthread_once(&sha256_once, prepare_sha256);
    if (sha256 == NULL) return 0;
    EVP_MD_CTX *context = pthread_getspecific(sha256_context);
    if (context == NULL) {
        context = EVP_MD_CTX_new();
        if (context == NULL || pthread_setspecific(sha256_context, context) != 0) return EVP_MD_CTX_free(context), 0;
    }
    return EVP_DigestInit_ex(context, sha256, NULL) && EVP_DigestUpdate(context, head, head_count)
        && EVP_DigestUpdate(context, rest, rest_count) && EVP_DigestFinal_ex(context, digest, NULL);
}

int ccrypto_compare(const void *left, const void *right, size_t count) {
    return CRYPTO_memcmp(left, right, count);
}
