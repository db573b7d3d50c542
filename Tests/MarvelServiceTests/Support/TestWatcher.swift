import MarvelDomain
import NIOCore
import NIOEmbedded
import RPCCore
import StoreContract
import Synchronization
import WireMessages

@testable import MarvelService

/// A watcher of a list, asked as a transport asks it.
final class TestWatcher {
    private let service: CharacterService
    private var source: any MessageSource
    /// The last message, as it came from the service.
    private(set) var lastMessage: (any OutgoingMessage)?

    init(_ service: CharacterService, list: String = "", from revision: Int64 = 0, place: String = "") throws {
        let request = WatchFavoritesRequest(list: list, fromRevision: revision, place: place)
        source = try service.watchFavorites(IncomingCall(payload: request.encoded())).source()
        self.service = service
    }

    /// Its position in the list's log, if it reads that.
    var cursor: LogCursor? { source.cursor }

    /// Lets it wait for too long.
    func timeOut() {
        if let cursor = source.cursor { source = cursor.restOfStream() }
    }

    /// The next message, or nil if it has to wait.
    func next() async throws -> WatchFavoritesResponse? {
        // As the service does in the background when events arrive.
        service.lists.catchUp()
        var step = Step.source(source)
        while true {
            switch step {
            case .message(let message, let rest?):
                source = rest
                return try note(message)
            case .message(_, nil), .end, .conversation, .pending:
                throw RPCError(.internalError, reason: .watchEnded, "a watch does not end by itself")
            case .source(let next):
                source = next
                guard let cursor = next.cursor else {
                    step = try next.next()
                    continue
                }
                switch cursor.entry() {
                case .message(let message, let number):
                    source = LogReader(cursor, after: number)
                    return try note(message)
                case .nothing: return nil
                case .missed: step = .source(cursor.restOfStream())
                }
            case .later(let work):
                step = try await work()
            }
        }
    }

    private func note(_ message: any OutgoingMessage) throws -> WatchFavoritesResponse {
        lastMessage = message
        return try WatchFavoritesResponse(decoding: message.encoded, limit: .response)
    }

    /// Everything up to where it has to wait.
    func all() async throws -> [WatchFavoritesResponse.Event] {
        var events: [WatchFavoritesResponse.Event] = []
        while let response = try await next() { events.append(contentsOf: [response.event].compactMap(\.self)) }
        return events
    }
}

/// A watcher that has read messages of its log.
final class LogReader: MessageSource {
    private let position: LogCursor

    init(_ position: LogCursor, after number: Int64) {
        var position = position
        position.number = number
        self.position = position
    }

    var cursor: LogCursor? { position }
    var place: [String: String] { position.restOfStream().place }

    func next() throws(RPCError) -> Step { .source(position.restOfStream()) }
}

extension WatchFavoritesResponse.Event {
    var revision: Int64 {
        switch self {
        case .snapshot(let snapshot): snapshot.revision
        case .changed(let change): change.revision
        case .progress(let progress): progress.revision
        }
    }

    var snapshot: FavoritesList? {
        if case .snapshot(let snapshot) = self { snapshot.list } else { nil }
    }

    var reset: SnapshotReset? {
        if case .snapshot(let snapshot) = self { snapshot.reset.reason } else { nil }
    }

    var change: FavoritesChange? {
        if case .changed(let change) = self { change } else { nil }
    }
}

extension MemoryFavoritesStore {
    /// Toggles characters one after the other, each a change.
    func toggle(_ ids: some Sequence<Int64>, on list: ListName = .default) async throws {
        for id in ids {
            _ = try await toggle(
                Toggle(list: list, characterID: id),
                character: MarvelCharacter(id: id, name: "Character \(id)")
            )
        }
    }
}

extension LogCursor {
    func entry() -> LogEntry { log.entry(after: number) }
}
