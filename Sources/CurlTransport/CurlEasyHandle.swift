internal import CCurl
internal import MarvelDomain
internal import Upstream

/// libcurl borrows the header list.
final class CurlEasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    /// libcurl writes its error text here until the handle is cleaned up.
    private let errorBuffer: UnsafeMutableBufferPointer<CChar>

    init() throws(SourceError) {
        guard let pointer = curl_easy_init() else { throw .failed("out of memory for a request") }
        self.pointer = pointer
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0)
        try check(CURLOPT_ERRORBUFFER, ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer.baseAddress))
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        errorBuffer.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(SourceError) {
        try check(option, ccurl_set_long(pointer, option, value))
    }

    /// Nil restores the default; the empty text is a value.
    func set(_ option: CURLoption, _ value: String?) throws(SourceError) {
        try check(option, ccurl_set_text(pointer, option, value))
    }

    func set(_ option: CURLoption, byteCount: Int) throws(SourceError) {
        try check(option, ccurl_set_offset(pointer, option, curl_off_t(byteCount)))
    }

    func set(_ headers: HTTPHeaders) throws(SourceError) {
        for field in headers.fields {
            let line = "\(field.name): \(field.value)"
            guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .failed("a header contains a control character")
            }
            guard let list = curl_slist_append(headerList, line) else { throw .failed("out of memory for a header") }
            headerList = list
        }
        try check(CURLOPT_HTTPHEADER, ccurl_set_list(pointer, CURLOPT_HTTPHEADER, headerList))
    }

    /// `write` receives `context`, and `CurlMultiHandle.nextFinished` returns it.
    func setContext(
        _ context: UnsafeMutableRawPointer,
        write: @escaping ccurl_write_function
    ) throws(SourceError) {
        try check(CURLOPT_PRIVATE, ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context))
        try check(CURLOPT_WRITEDATA, ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
        try check(CURLOPT_WRITEFUNCTION, ccurl_set_write_function(pointer, write))
    }

    /// Without the option, the request would lack a protection.
    private func check(_ option: CURLoption, _ code: CURLcode) throws(SourceError) {
        guard code == CURLE_OK else { throw .failed("libcurl rejected option \(option.rawValue)") }
    }

    var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// OpenSSL's result for the peer's certificate; 0 if it is accepted.
    var verificationResult: Int { number(CURLINFO_SSL_VERIFYRESULT) }

    var wasConnected: Bool { number(CURLINFO_PRIMARY_PORT) != 0 }

    /// libcurl's text for the failure. It may contain hosts and paths.
    var errorText: String {
        errorBuffer.withMemoryRebound(to: UInt8.self) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        ccurl_get_long(pointer, info, &number)
        return number
    }

    /// The final response's headers, without trailers, and without those that Swift would compare in quadratic time.
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        var header = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, nil)
        while let current = header {
            if let name = current.pointee.name, let value = current.pointee.value {
                let field = HTTPHeaders.Field(name: String(cString: name), value: String(cString: value))
                if field.name.hasShortMarkRuns, field.value.hasShortMarkRuns { headers.fields.append(field) }
            }
            header = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, current)
        }
        return headers
    }
}

extension CurlEasyHandle {
    func configure(_ settings: CurlSettings) throws(SourceError) {
        // Allowed targets: http and https, and only the host in the URL.
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Without this, libcurl would read a proxy from the environment.
        try set(CURLOPT_PROXY, "")

        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.certificateAuthorities {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_CAPATH, nil)
        }

        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_ACCEPT_ENCODING, CurlLibrary.acceptedEncodings)
        try set(CURLOPT_USERAGENT, "marvel-rpc")
        // In seconds. The peer may have closed an older connection.
        try set(CURLOPT_MAXAGE_CONN, 30)

        // Without this, libcurl implements timeouts by signals, which could reach any thread of the program.
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise the end of a transfer would wait for a hanging name lookup, and block all other transfers.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    /// `timeLeft` excludes the time already spent waiting.
    func configure(_ request: HTTPRequest, timeLeft: Duration) throws(SourceError) {
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
