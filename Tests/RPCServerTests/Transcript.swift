import Framing
import MarvelDomain
import NIOCore
import RPCCore
import Synchronization
import Testing
import TrialChecks
import WireMessages

/// The messages that all watchers of a list get from the same moment on: the same, in the same order.
final class Transcript: Sendable {
    private struct State {
        var messages: [ByteBuffer] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// As the first who got each got it.
    var messages: [ByteBuffer] { state.withLock(\.messages) }
    /// The number of messages that came, to all together.
    var count: Int { state.withLock(\.count) }

    /// - Parameters:
    ///   - message: What a watcher was sent.
    ///   - number: How many it had been sent before.
    /// - Returns: Whether it is what every other one was sent.
    func received(_ message: ByteBuffer, number: Int) -> Bool {
        state.withLock { state in
            state.count += 1
            if number == state.messages.count { state.messages.append(message) }
            return number < state.messages.count && state.messages[number] == message
        }
    }

    /// The changes behind the snapshot that comes first.
    func changes() throws -> [FavoritesChange] {
        try messages.dropFirst().map { message in
            let event = try WatchFavoritesResponse(decoding: message, limit: .response).event
            guard case .changed(let change) = event else { throw RPCError(.internalError, "this is not a change") }
            return change
        }
    }
}

extension RawPeer {
    /// Watches a list, the default one if none is named.
    func watch(
        on id: StreamID,
        flags: FrameFlags = .remoteClosed,
        _ request: WatchFavoritesRequest = WatchFavoritesRequest(list: "")
    ) async throws {
        try await call(
            "WatchFavorites",
            on: id,
            flags: flags,
            payload: request.encoded(),
            service: "marvel.v1.MarvelService"
        )
    }

    /// Reads what its watches are sent, until its task is cancelled.
    func read(into transcript: Transcript) async throws {
        var counts: [StreamID: Int] = [:]
        while let frame = try await nextFrame() {
            let number = counts[frame.header.streamID, default: 0]
            let isRight = frame.header.type == .data && transcript.received(frame.data, number: number)
            guard isRight else {
                Issue.record("message \(number) of stream \(frame.header.streamID) is not what others got")
                return
            }
            counts[frame.header.streamID] = number + 1
        }
    }

    /// Begins to read, and reads what its only watch was sent meanwhile.
    func wakeUp(upTo revision: Int64) async throws -> [WatchCheck.Sight] {
        try await startReading()
        var sights: [WatchCheck.Sight] = []
        while let frame = try await nextFrame() {
            switch try WatchFavoritesResponse(decoding: frame.data, limit: .response).event {
            case .snapshot(let snapshot): sights.append(.snapshot(snapshot.list))
            case .changed(let change): sights.append(.change(change))
            case .progress, nil: break
            }
            if sights.last?.revision == revision { break }
        }
        return sights
    }
}

extension WatchCheck.Sight {
    var isSnapshot: Bool {
        if case .snapshot = self { true } else { false }
    }
}
