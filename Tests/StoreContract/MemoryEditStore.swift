package import MarvelDomain
internal import Synchronization

/// Edits that are forgotten at its end, under the rules of all stores. It fails when it is told to, and plays another
/// server.
package final class MemoryEditStore: EditStore {
    private struct State: EditTables {
        var edits: [Int64: EditedCharacter] = [:]
        var pictures: [Int64: Picture] = [:]
        var requests: [RequestKey: AnsweredEdit] = [:]
        var failure: StoreError?
        var change = EditStoreChange.none
        var orders: [EditOrder] = []
        var beforePictures: (@Sendable () async -> Void)?

        func edit(of id: Int64) -> EditedCharacter? { edits[id] }

        func editPicture(of id: Int64) -> Picture? { pictures[id] }

        mutating func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) {
            edits[edited.id] = edited
            switch picture {
            case .set(let picture): pictures[edited.id] = picture
            case .remove: pictures[edited.id] = nil
            case nil: break
            }
        }

        func editCount(atMost maximum: Int) -> Int { edits.count }

        func newestEditRevision() -> Int64 { edits.values.map(\.revision).max() ?? 0 }

        func lastEditedID(in ids: ClosedRange<Int64>) -> Int64? { edits.keys.filter(ids.contains).max() }

        func answeredEdit(_ request: RequestKey) -> AnsweredEdit? { requests[request] }

        mutating func keep(_ edit: AnsweredEdit, under request: RequestKey) { requests[request] = edit }
    }

    private let state = Mutex(State())

    package init() {}

    /// Each order that was to be written.
    package var orders: [EditOrder] { state.withLock(\.orders) }

    package func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    /// Runs `action` before each read of a picture.
    package func beforePictures(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.beforePictures = action }
    }

    /// Another server writes this.
    package func writeFromOutside(_ order: EditOrder) {
        state.withLock { state in
            _ = apply(order, to: &state) { order.target == .existing($0) }
            state.change = max(state.change, .written)
        }
    }

    /// An earlier state of the store takes its place.
    package func lose(after revision: Int64) {
        state.withLock { state in
            state.edits = state.edits.filter { $0.value.revision <= revision }
            state.change = .replaced
        }
    }

    package func edits(after revision: Int64) async throws(StoreError) -> [EditedCharacter] {
        try state.withLock { (state) throws(StoreError) in
            if let failure = state.failure { throw failure }
            return state.edits.values.filter { $0.revision > revision }.sorted { $0.revision < $1.revision }
        }
    }

    package func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(StoreError) -> EditedCharacter {
        let result: Result<EditedCharacter, StoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            state.orders.append(order)
            return apply(order, to: &state, isTaken: isTaken)
        }
        return try result.get()
    }

    package func picture(of id: Int64) async throws(StoreError) -> Picture? {
        await state.withLock(\.beforePictures)?()
        return try state.withLock { (state) throws(StoreError) in
            if let failure = state.failure { throw failure }
            return state.editPicture(of: id)
        }
    }

    package func changeByOthers() async -> EditStoreChange {
        state.withLock { state in
            defer { state.change = .none }
            return state.change
        }
    }

    private func apply(
        _ order: EditOrder,
        to state: inout State,
        isTaken: @escaping (Int64) -> Bool
    ) -> Result<EditedCharacter, StoreError> {
        do {
            let now = Timestamp(seconds: 1_800_000_000)
            return .success(try EditTransaction(order: order, now: now, isTaken: isTaken).run(in: &state))
        } catch let error as StoreError {
            return .failure(error)
        } catch {
            return .failure(.notWritable("\(error)"))
        }
    }
}
