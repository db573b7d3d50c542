internal import CCurl
internal import MarvelAPI

/// One request under way: its easy handle and what has come back so far. Touched by the engine's thread only.
///
/// libcurl holds a pointer to it from `add` to `remove`; it is kept alive for just as long.
final class CurlTransfer {
    let job: CurlJob
    private let easy: CurlEasyHandle
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// - Throws: `.failed` if libcurl does not take an option: what is set here is what keeps the request safe.
    init(_ job: CurlJob, settings: CurlSettings) throws(HTTPTransportError) {
        self.job = job
        self.easy = try CurlEasyHandle()
        try easy.configure(settings)
        try easy.configure(job.request, timeLeft: ContinuousClock.now.duration(to: job.deadline))
    }

    static func from(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    func add(to multi: CurlMultiHandle) throws(HTTPTransportError) {
        let context = Unmanaged.passRetained(self)
        do throws(HTTPTransportError) {
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

    /// Ends the transfer if it still runs. HTTP/1 connections in the middle of an answer are closed by that.
    func remove(from multi: CurlMultiHandle) {
        curl_multi_remove_handle(multi.pointer, easy.pointer)
        Unmanaged.passUnretained(self).release()
    }

    /// What came out of decompression. False ends the transfer: `MAXFILESIZE` sees neither bodies without a length
    /// nor what becomes of compressed ones.
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
                HTTPTransportError(
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
