internal import CCurl
internal import MarvelDomain
internal import Upstream

/// The loop that drives libcurl. Only its thread uses the multi handle and its easy handles.
struct CurlEngine {
    private let settings: CurlSettings
    private let multi: CurlMultiHandle
    private let mailbox: CurlMailbox
    /// Oldest first. The mailbox limits their number.
    private var waiting: [CurlJob] = []
    /// At most `maximumConnections`, because each may need its own connection.
    private var active: [CurlJob.ID: CurlTransfer] = [:]

    init(settings: CurlSettings, multi: CurlMultiHandle, mailbox: CurlMailbox) {
        self.settings = settings
        self.multi = multi
        self.mailbox = mailbox
    }

    private var room: Int { max(1, settings.maximumConnections) - active.count }

    /// Every job has its result at the end.
    consuming func run() {
        var reason = SourceError.shutDown
        while true {
            let delivery = mailbox.take()
            delivery.commands.forEach { apply($0) }
            if delivery.isStopping { break }
            expireWaiting()
            startWaiting()
            guard multi.perform() else {
                reason = .failed("libcurl stopped working")
                break
            }
            finishTransfers()
            guard multi.poll(atMost: timeToNextTurn()) else {
                reason = .failed("libcurl stopped working")
                break
            }
        }
        close(reason)
    }

    private mutating func apply(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let job):
            waiting.append(job)
        case .cancel(let id):
            if let transfer = active[id] {
                finish(transfer, with: .failure(.cancelled))
            } else if let index = waiting.firstIndex(where: { $0.id == id }) {
                mailbox.finish(waiting.remove(at: index), with: .failure(.cancelled))
            }
        }
    }

    /// libcurl enforces the timeouts of active jobs.
    private mutating func expireWaiting() {
        let now = ContinuousClock.now
        for job in waiting where job.deadline <= now { mailbox.finish(job, with: .failure(.timedOut)) }
        waiting.removeAll { $0.deadline <= now }
    }

    private mutating func startWaiting() {
        let count = min(waiting.count, room)
        let jobs = waiting.prefix(count)
        waiting.removeFirst(count)
        for job in jobs {
            do throws(SourceError) {
                let transfer = try CurlTransfer(job, settings: settings)
                try transfer.add(to: multi)
                active[job.id] = transfer
            } catch {
                mailbox.finish(job, with: .failure(error))
            }
        }
    }

    private mutating func finishTransfers() {
        while let (context, result) = multi.nextFinished() {
            let transfer = CurlTransfer.from(context)
            finish(transfer, with: transfer.outcome(of: result))
        }
    }

    private mutating func finish(_ transfer: CurlTransfer, with outcome: CurlJob.Outcome) {
        transfer.remove(from: multi)
        active[transfer.job.id] = nil
        mailbox.finish(transfer.job, with: outcome)
    }

    private func timeToNextTurn() -> Duration {
        // A transfer has just ended: the next turn starts a job in its place.
        guard waiting.isEmpty || room == 0 else { return .zero }
        let soonest = waiting.map(\.deadline).min()
        return soonest.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3_600)
    }

    private mutating func close(_ reason: SourceError) {
        for command in mailbox.refuseFurther() { apply(command) }
        for job in waiting { mailbox.finish(job, with: .failure(reason)) }
        for transfer in active.values { finish(transfer, with: .failure(reason)) }
        multi.close()
        mailbox.closed()
    }
}

/// Only the engine's thread uses it. libcurl has a pointer to it from `add` to `remove`, and it is retained for that
/// time.
final class CurlTransfer {
    let job: CurlJob
    private let easy: CurlEasyHandle
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(_ job: CurlJob, settings: CurlSettings) throws(SourceError) {
        self.job = job
        self.easy = try CurlEasyHandle()
        try easy.configure(settings)
        try easy.configure(job.request, timeLeft: ContinuousClock.now.duration(to: job.deadline))
    }

    static func from(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    func add(to multi: CurlMultiHandle) throws(SourceError) {
        let context = Unmanaged.passRetained(self)
        do throws(SourceError) {
            try easy.setContext(context.toOpaque()) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlTransfer.from(context).bodyReceived(chunk) ? chunk.count : 0
            }
            guard curl_multi_add_handle(multi.pointer, easy.pointer) == CURLM_OK else {
                throw .failed("libcurl rejected the request")
            }
        } catch {
            context.release()
            throw error
        }
    }

    /// Closes an HTTP/1 connection in the middle of a response.
    func remove(from multi: CurlMultiHandle) {
        curl_multi_remove_handle(multi.pointer, easy.pointer)
        Unmanaged.passUnretained(self).release()
    }

    /// False if the body is too large. `MAXFILESIZE` checks neither bodies without a length nor the decompressed size.
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
                SourceError(
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
