internal import CCurl

/// Properties of libcurl as a whole.
enum CurlLibrary {
    /// Whether libcurl is initialized. It is initialized once, before the first handle, and never cleaned up, because
    /// other handles may exist.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// The content encodings that requests accept: gzip and brotli, as far as this libcurl can decode them.
    static let acceptedEncodings: String = {
        guard let features = ccurl_version()?.pointee.features else { return "" }
        let encodings = [("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI)]
        return encodings.filter { features & CInt($0.1) != 0 }.map(\.0).joined(separator: ", ")
    }()
}
