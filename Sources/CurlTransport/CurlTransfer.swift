internal import CCurl
internal import MarvelAPI

/// One active request: its easy handle and the body received so far. Only the engine's thread uses it.
///
/// libcurl holds a pointer to it from `add` to `remove`, and it is retained for that time.
final class CurlTransfer {
    let job: CurlJob
    private let easy: CurlEasyHandle
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Makes the transfer.
    ///
    /// - Throws: `.failed` if libcurl refuses an option, because the options keep the request safe.
    init(_ job: CurlJob, settings: CurlSettings) throws(HTTPFetchError) {
        self.job = job
        self.easy = try CurlEasyHandle()
        try easy.configure(settings)
        try easy.configure(job.request, timeLeft: ContinuousClock.now.duration(to: job.deadline))
    }

    static func from(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    func add(to multi: CurlMultiHandle) throws(HTTPFetchError) {
        let context = Unmanaged.passRetained(self)
        do throws(HTTPFetchError) {
            try easy.setContext(context.toOpaque()) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlTransfer.from(context).bodyReceived(chunk) ? chunk.count : 0
            }
            guard curl_multi_add_handle(multi.pointer, easy.pointer) == CURLM_OK else {
                throw .failed("libcurl does not take the request")
            }
        } catch {
            context.release()
            throw error
        }
    }

    /// Removes the transfer, and ends it if it is still active. Ending it closes an HTTP/1 connection that is in the
    /// middle of a response.
    func remove(from multi: CurlMultiHandle) {
        curl_multi_remove_handle(multi.pointer, easy.pointer)
        Unmanaged.passUnretained(self).release()
    }

    /// Adds a decompressed piece of the body. Returns false to end the transfer if the body is too large: `MAXFILESIZE`
    /// checks neither bodies without a length nor the decompressed size.
    private func bodyReceived(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard chunk.count <= job.request.limits.maximumBodyByteCount - body.count else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: chunk)
        return true
    }

    func outcome(of result: CURLcode) -> CurlJob.Outcome {
        let limit = job.request.limits.maximumBodyByteCount
        guard !isTooLarge else { return .failure(.tooLarge(maximumByteCount: limit)) }
        guard result == CURLE_OK else {
            return .failure(
                HTTPFetchError(
                    result,
                    text: easy.errorText,
                    verification: easy.verificationResult,
                    wasConnected: easy.wasConnected,
                    bodyLimit: limit
                )
            )
        }
        return .success(HTTPResponse(status: easy.status, headers: easy.headers, body: body))
    }
}
