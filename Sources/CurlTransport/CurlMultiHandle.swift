internal import CCurl
internal import MarvelAPI

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: libcurl lets every thread call `curl_multi_wakeup` while the handle is open; all else here is
/// called by the engine's thread only. `CurlMailbox` calls `wake` under its lock and not after `refuseFurther`, which
/// the engine calls before it closes the handle.
final class CurlMultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// - Parameter maximumConnections: In use and idle together; libcurl closes the oldest idle one for a new one.
    /// - Throws: `.failed` if libcurl cannot start or lacks what is set here.
    init(maximumConnections: Int) throws(HTTPTransportError) {
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

    /// Closes every connection. The last call, made once: by the engine, or by whoever could not start one.
    func close() { curl_multi_cleanup(pointer) }

    /// Makes a `poll` that waits now, or the next one, return at once.
    func wake() { curl_multi_wakeup(pointer) }

    /// Does what can be done without waiting. False if the handle is of no more use.
    func perform() -> Bool {
        var running: CInt = 0
        return curl_multi_perform(pointer, &running) == CURLM_OK
    }

    /// Waits for a socket, a timer of libcurl's, `wake`, or the time given. False if the handle is of no more use.
    func poll(atMost time: Duration) -> Bool {
        let milliseconds = CInt(clamping: max(0, time.milliseconds))
        return curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// The next transfer that ended, as the context that its easy handle carries, and how it ended.
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
    /// Whole milliseconds, rounded up, so that a wait for what is left of a time does not end before it.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
