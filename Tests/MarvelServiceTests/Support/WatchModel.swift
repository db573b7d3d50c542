import MarvelDomain
import NIOCore
import RPCCore
import Synchronization
import TestClocks
import Testing
import WireMessages

@testable import MarvelService

/// Some changes and two watchers of a list, and every step of theirs that others can come between.
final class WatchModel {
    enum Actor: CaseIterable {
        /// A writer's change is on disk; the event of one is sent.
        case commit, send
        /// A watcher begins, reads, gets what it read, and asks for more.
        case first, second
    }

    private let store = SteppedStore()
    private let service: CharacterService
    private let watchers: [ModelWatcher]

    /// - Parameter beginnings: From which revision each watcher asks.
    init(_ beginnings: [Int64]) {
        let executor = SteppedExecutor()
        service = CharacterService(catalog: TestCatalog.builtIn, store: store, runtime: .stepped(executor))
        watchers = beginnings.enumerated().map { ModelWatcher($0.offset, from: $0.element, executor) }
        store.commit()
        store.send()
        service.lists.catchUp()
    }

    /// Takes the steps in that order, lets the watchers get the rest, and checks what they got.
    func check(_ order: [Actor]) throws {
        for actor in order {
            switch actor {
            case .commit: store.commit()
            case .send: store.send()
            case .first: try watchers[0].step(service, store)
            case .second: try watchers[1].step(service, store)
            }
        }
        for watcher in watchers {
            try watcher.finish(store)
            if !watcher.isRight(at: order.count { $0 == .commit } + 1) { Issue.record("\(order): \(watcher.events)") }
        }
    }
}

private final class ModelWatcher {
    private(set) var events: [WatchFavoritesResponse.Event] = []
    private let number: Int
    private let beginning: Int64
    private let executor: SteppedExecutor
    private let result = Arrival()
    private var source: (any MessageSource)?
    private var stepCount = 0
    private var isReading = false

    init(_ number: Int, from beginning: Int64, _ executor: SteppedExecutor) {
        self.number = number
        self.beginning = beginning
        self.executor = executor
    }

    func step(_ service: CharacterService, _ store: SteppedStore) throws {
        stepCount += 1
        switch stepCount {
        case 1:
            let request = WatchFavoritesRequest(fromRevision: beginning)
            try take(service.watchFavorites(IncomingCall(payload: request.encoded())), as: nil)
        case 2:
            try ask(as: number)
        case 3:
            store.release(number)
            try arrived()
        default:
            try ask(as: nil)
        }
    }

    /// Lets all reads arrive, and requests the rest. A read may be shared with the other watcher, or be repeated.
    func finish(_ store: SteppedStore) throws {
        repeat {
            store.releaseAll()
            try arrived()
        } while try isReading || ask(as: nil)
    }

    /// - Returns: Whether there was something to ask for.
    @discardableResult
    private func ask(as reader: Int?) throws -> Bool {
        guard let source else { return false }
        guard let cursor = source.cursor else {
            self.source = nil
            try take(source.next(), as: reader)
            return true
        }
        switch cursor.entry() {
        case .message(let message, let number):
            try take(.message(message, then: LogReader(cursor, after: number)), as: reader)
        case .missed: try take(.source(cursor.restOfStream()), as: reader)
        case .nothing: return false
        }
        return true
    }

    private func take(_ step: Step, as reader: Int?) throws {
        switch step {
        case .message(let message, let rest):
            events.append(try event(message))
            source = rest
        case .source(let next):
            source = next
        case .later(let work):
            isReading = true
            SteppedStore.$reader.withValue(reader) {
                _ = Task(executorPreference: executor) { [result] in
                    do throws(RPCError) {
                        result.set(.success(try await work()))
                    } catch {
                        result.set(.failure(error))
                    }
                }
            }
            try arrived()
        case .end, .conversation, .pending:
            Issue.record("a watch does not end by itself")
        }
    }

    /// Reads the event of a message. The bytes of a change are tested elsewhere; here they would take most of the time.
    private func event(_ message: any OutgoingMessage) throws -> WatchFavoritesResponse.Event {
        if let change = message as? EncodedChange { return .changed(change.change) }
        let bytes = try #require(message as? EncodedMessage).bytes
        return try #require(WatchFavoritesResponse(decoding: bytes, limit: .response).event)
    }

    private func arrived() throws {
        executor.run()
        guard let step = try result.take() else { return }
        isReading = false
        try take(step, as: nil)
    }

    /// A snapshot as the list was at its revision, if it asked for one, and then every change once, in order.
    func isRight(at last: Int) -> Bool {
        var changes = events[...]
        var revision = beginning
        if beginning == 0 {
            guard let snapshot = changes.popFirst()?.snapshot else { return false }
            guard snapshot == SteppedStore.lists[Int(snapshot.revision)] else { return false }
            revision = snapshot.revision
        }
        return changes.map(\.change) == SteppedStore.changes[Int(revision)..<last].map { $0 }
    }
}

/// The result of a piece of work, once it is there.
private final class Arrival: Sendable {
    private let result = Mutex<Result<Step, RPCError>?>(nil)

    func set(_ result: Result<Step, RPCError>) { self.result.withLock { $0 = result } }

    func take() throws -> Step? {
        let result = result.withLock { result in
            defer { result = nil }
            return result
        }
        return try result?.get()
    }
}
