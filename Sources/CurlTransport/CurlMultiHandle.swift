internal import CCurl
internal import MarvelDomain
internal import Upstream

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: libcurl allows `curl_multi_wakeup` on every thread while the handle is open. All other
/// functions are called on the engine's thread only. `CurlMailbox` calls `wake` under its lock, and not after
/// `refuseFurther`. The engine calls `refuseFurther` before it closes the handle.
final class CurlMultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// Opens the handle.
    ///
    /// - Parameter maximumConnections: The limit of active and idle connections together. libcurl closes the oldest
    ///   idle connection to open a new one.
    /// - Throws: `.failed` if libcurl cannot start, or refuses the limit.
    init(maximumConnections: Int) throws(SourceError) {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else { throw .failed("libcurl does not start") }
        self.pointer = pointer
        for option in [CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
            let code = ccurl_multi_set_long(pointer, option, max(1, maximumConnections))
            guard code == CURLM_OK else {
                curl_multi_cleanup(pointer)
                throw .failed("libcurl does not take a connection limit")
            }
        }
    }

    /// Closes every connection. This is the last call, made once: by the engine, or by the transport if no engine
    /// started.
    func close() { curl_multi_cleanup(pointer) }

    /// Makes a waiting `poll`, or the next one, return immediately.
    func wake() { curl_multi_wakeup(pointer) }

    /// Does the work that is possible without waiting. Returns false if the handle is unusable.
    func perform() -> Bool {
        var running: CInt = 0
        return curl_multi_perform(pointer, &running) == CURLM_OK
    }

    /// Waits for a socket, a timer of libcurl, `wake`, or the end of `time`. Returns false if the handle is unusable.
    func poll(atMost time: Duration) -> Bool {
        let milliseconds = CInt(clamping: max(0, time.milliseconds))
        return curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// Returns the context and the result of the next transfer that ended.
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
    /// The duration in whole milliseconds, rounded up, so that a wait for it does not end too early.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

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
