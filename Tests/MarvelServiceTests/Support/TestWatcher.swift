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
    private var source: any MessageSource
    /// What it got last, as it came from the service.
    private(set) var lastMessage: (any OutgoingMessage)?

    init(_ service: CharacterService, list: String = "", from revision: Int64 = 0, place: String = "") throws {
        let request = WatchFavoritesRequest(list: list, fromRevision: revision, place: place)
        let step = try service.watchFavorites(IncomingCall(payload: request.encoded()))
        guard case .source(let source) = step else { throw RPCError(.internalError, "\(step)") }
        self.source = source
    }

    var wait: Wait? { source.wait }

    /// What it waits for has happened, or has not for long enough.
    func goOn() {
        if let wait = source.wait { source = wait.then }
    }

    /// The next message, or nil if it has to wait.
    func next() async throws -> WatchFavoritesResponse? {
        guard source.wait == nil else { return nil }
        var step = try source.next()
        while true {
            switch step {
            case .message(let message, let rest?):
                source = rest
                lastMessage = message
                var bytes = ByteBuffer()
                bytes.write(byteCount: message.byteCount) { message.write(to: &$0) }
                return try WatchFavoritesResponse(decoding: bytes, limit: .response)
            case .message(_, nil), .end, .conversation, .pending:
                throw RPCError(.internalError, reason: .watchEnded, "a watch has no end of its own")
            case .source(let next):
                source = next
                guard source.wait == nil else { return nil }
                step = try source.next()
            case .later(let work):
                step = try await work()
            }
        }
    }

    /// Everything up to where it has to wait.
    func all() async throws -> [WatchFavoritesResponse.Event] {
        var events: [WatchFavoritesResponse.Event] = []
        while let response = try await next() { events.append(contentsOf: [response.event].compactMap(\.self)) }
        return events
    }
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
