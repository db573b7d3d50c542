#ifndef MARVEL_RPC_CCURL_H
#define MARVEL_RPC_CCURL_H

// Wrappers of the parts of libcurl that Swift cannot call: variadic functions, one wrapper for each kind of argument.

#include <curl/curl.h>

typedef size_t (*ccurl_write_function)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl does not copy the list: it must outlive the transfer.
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_write_function(CURL *easy, ccurl_write_function function) {
    return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// CURLVERSION_NOW is a macro for an enum's case.
static inline const curl_version_info_data *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// The result of a finished transfer, which is in a union in libcurl's own struct.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
