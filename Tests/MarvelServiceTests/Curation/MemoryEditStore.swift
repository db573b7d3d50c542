import Catalog
import CatalogEdits
import MarvelDomain
import Synchronization

/// Edits that are forgotten at its end. It fails when it is told to, and plays a program beside the server.
final class MemoryEditStore: EditStore {
    private struct State {
        var edits: [EditedCharacter] = []
        var pictures: [Int64: Picture] = [:]
        var failure: EditError?
        var change = EditStoreChange.none
        var orders: [EditOrder] = []
    }

    private let state = Mutex(State())

    /// Each order that was to be written.
    var orders: [EditOrder] { state.withLock(\.orders) }

    func fail(with error: EditError?) { state.withLock { $0.failure = error } }

    /// Another program writes this.
    func writeFromOutside(_ order: EditOrder) {
        state.withLock { state in
            _ = Self.apply(order, to: &state)
            state.change = max(state.change, .written)
        }
    }

    /// An earlier state of the store takes its place.
    func lose(after revision: Int64) {
        state.withLock { state in
            state.edits.removeAll { $0.revision > revision }
            state.change = .replaced
        }
    }

    func edits(after revision: Int64) async throws(EditError) -> [EditedCharacter] {
        if let failure = state.withLock(\.failure) { throw failure }
        return state.withLock { $0.edits.filter { $0.revision > revision } }
    }

    func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(EditError) -> EditedCharacter {
        if let failure = state.withLock(\.failure) { throw failure }
        if case .new(let id?) = order.target, isTaken(id) { throw .exists(id) }
        return state.withLock { state in
            state.orders.append(order)
            return Self.apply(order, to: &state)
        }
    }

    func picture(of id: Int64) async throws(EditError) -> Picture? {
        if let failure = state.withLock(\.failure) { throw failure }
        return state.withLock { $0.pictures[id] }
    }

    func changeByOthers() async -> EditStoreChange {
        state.withLock { state in
            defer { state.change = .none }
            return state.change
        }
    }

    private static func apply(_ order: EditOrder, to state: inout State) -> EditedCharacter {
        let revision = (state.edits.map(\.revision).max() ?? 0) + 1
        let (id, kind): (Int64, EditedCharacter.Kind) =
            switch order.target {
            case .new(let id): (id ?? EditedCharacter.createdIDs.lowerBound + revision, .created)
            case .existing(let id): (id, .edited)
            case .reverted(let id): (id, .reverted)
            }
        let before = state.edits.first { $0.id == id }
        state.edits.removeAll { $0.id == id }
        if case .set(let picture) = order.picture { state.pictures[id] = picture }
        if case .remove = order.picture { state.pictures[id] = nil }
        let edited = EditedCharacter(
            id: id,
            kind: kind == .edited ? before?.kind ?? kind : kind,
            edit: (before?.edit ?? CharacterEdit()).followed(by: order.edit),
            pictureType: state.pictures[id]?.mediaType,
            editedAt: Timestamp(seconds: 1_800_000_000),
            revision: revision
        )
        state.edits.append(edited)
        return edited
    }
}
