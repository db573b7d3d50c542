internal import CCurl

/// What holds for libcurl as a whole.
enum CurlLibrary {
    /// Whether libcurl is set up. Done once, before the first handle; never undone, since other handles may live.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// What we ask servers to compress with: that of gzip and brotli which this libcurl can undo.
    static let acceptedEncodings: String = {
        guard let features = ccurl_version()?.pointee.features else { return "" }
        let encodings = [("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI)]
        return encodings.filter { features & CInt($0.1) != 0 }.map(\.0).joined(separator: ", ")
    }()
}
