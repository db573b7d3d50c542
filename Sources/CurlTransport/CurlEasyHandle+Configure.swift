internal import CCurl
internal import MarvelAPI

/// Every option that is not libcurl's default, with the reason where the name does not give it.
extension CurlEasyHandle {
    func configure(_ settings: CurlSettings) throws(HTTPTransportError) {
        // Where a request can go: http and https, to the host that was named, and to no other.
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Empty means none; unset would mean what the environment says.
        try set(CURLOPT_PROXY, settings.proxy ?? "")

        // Who answers.
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.certificateAuthorities {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_CAPATH, nil)
        }

        // How we speak.
        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_ACCEPT_ENCODING, CurlLibrary.acceptedEncodings)
        try set(CURLOPT_USERAGENT, settings.userAgent)
        try set(CURLOPT_MAXAGE_CONN, max(1, Int(settings.idleConnectionTime.components.seconds)))

        // Timeouts by signal would hit any thread of the program.
        try set(CURLOPT_NOSIGNAL, 1)
        // Ending a transfer whose name lookup hangs must not wait for the lookup, and all others with it: the lookup's
        // thread is left to end by itself.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    /// - Parameters:
    ///   - request: What to fetch, and its limits.
    ///   - timeLeft: Until the caller's deadline; what was spent waiting is already gone from it.
    /// - Throws: `.failed` if libcurl does not take an option.
    func configure(_ request: HTTPRequest, timeLeft: Duration) throws(HTTPTransportError) {
        let limits = request.limits
        try set(CURLOPT_URL, request.url)
        try set(request.headers)
        // 0 would mean libcurl's default of 300 s, and no limit.
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connectTimeout.milliseconds)))
        try set(CURLOPT_TIMEOUT_MS, max(1, Int(timeLeft.milliseconds)))
        try set(CURLOPT_LOW_SPEED_LIMIT, limits.lowSpeedBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.lowSpeedTime.components.seconds)))
        // Saves the download where the length is announced; the body is counted as it comes as well.
        try set(CURLOPT_MAXFILESIZE_LARGE, byteCount: limits.maximumBodyByteCount)
    }
}
