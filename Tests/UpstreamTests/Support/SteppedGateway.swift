import Foundation
import MarvelDomain
import Synchronization
import Upstream

/// Holds every request until the test answers it or its task is cancelled.
final class SteppedGateway: HTTPFetcher {
    private struct State {
        var requests: [HTTPRequest] = []
        var held: [Int: CheckedContinuation<Result<HTTPResponse, SourceError>, Never>] = [:]
    }

    private let state = Mutex(State())
    private let (events, sender) = AsyncStream.makeStream(of: Void.self)

    var requests: [HTTPRequest] { state.withLock(\.requests) }

    /// Returns when a request began. One waiter at a time.
    func next() async {
        for await _ in events { return }
    }

    /// Answers all that is held.
    func answer(_ result: Result<HTTPResponse, SourceError>) {
        let held = state.withLock { state in
            defer { state.held = [:] }
            return state.held.values
        }
        for continuation in held { continuation.resume(returning: result) }
    }

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        let id = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.held[id] = continuation }
                sender.yield()
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private func cancel(_ id: Int) {
        guard let held = state.withLock({ $0.held.removeValue(forKey: id) }) else { return }
        held.resume(returning: .failure(.cancelled))
    }
}
