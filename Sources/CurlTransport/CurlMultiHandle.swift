internal import CCurl
internal import MarvelDomain
internal import Upstream

/// `@unchecked Sendable`: libcurl allows `curl_multi_wakeup` on every thread while the handle is open. Only the
/// engine's thread calls other functions. `CurlMailbox` calls `wake` under its lock, and never after `refuseFurther`,
/// which the engine calls before it closes the handle.
final class CurlMultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// Active and idle connections together. libcurl closes the oldest idle one for a new one.
    init(maximumConnections: Int) throws(SourceError) {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else { throw .failed("cannot start libcurl") }
        self.pointer = pointer
        for option in [CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
            let code = ccurl_multi_set_long(pointer, option, max(1, maximumConnections))
            guard code == CURLM_OK else {
                curl_multi_cleanup(pointer)
                throw .failed("libcurl rejected the connection limit")
            }
        }
    }

    func close() { curl_multi_cleanup(pointer) }

    func wake() { curl_multi_wakeup(pointer) }

    /// Returns false if the handle is unusable.
    func perform() -> Bool {
        var running: CInt = 0
        return curl_multi_perform(pointer, &running) == CURLM_OK
    }

    /// Returns false if the handle is unusable.
    func poll(atMost time: Duration) -> Bool {
        let milliseconds = CInt(clamping: max(0, time.milliseconds))
        return curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
    }

    func nextFinished() -> (context: UnsafeMutableRawPointer, result: CURLcode)? {
        var left: CInt = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            var context: UnsafeMutableRawPointer?
            ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            if let context { return (context, ccurl_message_result(message)) }
        }
        return nil
    }
}

extension Duration {
    /// Rounded up, so that a wait does not end early.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

enum CurlLibrary {
    /// Initialized once, and never cleaned up, because other handles may exist.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// If this libcurl can decode them.
    static let acceptedEncodings: String = {
        guard let features = ccurl_version()?.pointee.features else { return "" }
        let encodings = [("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI)]
        return encodings.filter { features & CInt($0.1) != 0 }.map(\.0).joined(separator: ", ")
    }()
}
