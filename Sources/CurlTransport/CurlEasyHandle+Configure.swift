internal import CCurl
internal import MarvelAPI

/// Every option that differs from libcurl's default, with the reason if the name does not give it.
extension CurlEasyHandle {
    func configure(_ settings: CurlSettings) throws(HTTPFetchError) {
        // Allowed targets: http and https, and only the host in the URL.
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // An empty text disables the proxy; without it, libcurl would read the proxy from the environment.
        try set(CURLOPT_PROXY, settings.proxy ?? "")

        // Identity of the peer.
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.certificateAuthorities {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_CAPATH, nil)
        }

        // Protocol.
        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_ACCEPT_ENCODING, CurlLibrary.acceptedEncodings)
        try set(CURLOPT_USERAGENT, settings.userAgent)
        try set(CURLOPT_MAXAGE_CONN, max(1, Int(settings.idleConnectionTime.components.seconds)))

        // Without this, libcurl implements timeouts by signals, which could reach any thread of the program.
        try set(CURLOPT_NOSIGNAL, 1)
        // Ending a transfer must not wait for a name lookup that hangs, because it would block all other transfers. The
        // lookup's thread ends by itself later.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    /// Sets the options of one request.
    ///
    /// - Parameters:
    ///   - request: The request, with its limits.
    ///   - timeLeft: The time until the caller's deadline; the time spent waiting is already subtracted.
    /// - Throws: `.failed` if libcurl does not take an option.
    func configure(_ request: HTTPRequest, timeLeft: Duration) throws(HTTPFetchError) {
        let limits = request.limits
        try set(CURLOPT_URL, request.url)
        try set(request.headers)
        // 0 would mean libcurl's default of 300 s, and no limit.
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connectTimeout.milliseconds)))
        try set(CURLOPT_TIMEOUT_MS, max(1, Int(timeLeft.milliseconds)))
        try set(CURLOPT_LOW_SPEED_LIMIT, limits.lowSpeedBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.lowSpeedTime.components.seconds)))
        // Stops a response early if its announced length is too large. The received body is counted as well.
        try set(CURLOPT_MAXFILESIZE_LARGE, byteCount: limits.maximumBodyByteCount)
    }
}
