package import MarvelDomain
internal import Synchronization

/// The behaviour that every `FavoritesStore` must have, as cases that a test runs on a store.
package struct FavoritesContract: Sendable, CustomStringConvertible {
    /// Makes an empty store: favorites that a list holds, lists that the store holds.
    package typealias MakeStore = @Sendable (_ capacity: Int, _ maximumLists: Int) async throws -> any FavoritesStore

    package let description: String
    private let body: @Sendable (MakeStore) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeStore) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Runs the case.
    ///
    /// - Parameter make: Makes the stores that the case needs.
    /// - Throws: `ContractViolation` if a store does something else, or what the store threw.
    package func run(_ make: MakeStore) async throws { try await body(make) }

    /// All cases.
    package static let all =
        lists + owners + requests + changes + feed + names + deletions + concurrency + [randomHistories]
}

/// A difference between a store and its contract.
package struct ContractViolation: Error, CustomStringConvertible {
    package let description: String
}

/// Checks that two values are equal.
func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String = "") throws {
    guard actual == expected else {
        throw ContractViolation(description: "\(what()): is \(actual), and should be \(expected)")
    }
}

/// Checks that a call fails with an error.
func expect(_ error: StoreError, _ what: String, from body: () async throws -> some Any) async throws {
    do {
        let value = try await body()
        throw ContractViolation(description: "\(what): gave \(value), and should fail with \(error)")
    } catch let actual as StoreError {
        try expect(actual, error, what)
    }
}

func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Character \(id)") }

extension ListName {
    /// - Parameter text: A valid name.
    /// - Throws: `ContractViolation` if it is not.
    init(valid text: String) throws {
        guard let name = ListName(text) else { throw ContractViolation(description: "\(text) is no name") }
        self = name
    }
}

extension FavoritesStore {
    /// Toggles a character whose snapshot is at hand, and returns the answer.
    @discardableResult
    func answer(
        _ id: Int64,
        on list: ListName = .default,
        _ desired: Toggle.Desired = .toggle,
        request: String? = nil,
        of principal: String = "",
        owner: ListOwner? = nil
    ) async throws -> ToggleResult {
        let key = RequestKey(request.flatMap(RequestID.init), of: principal)
        let caller = owner ?? (principal.isEmpty ? .nobody : .named(principal))
        let toggle = Toggle(list: list, characterID: id, desired: desired, request: key, owner: caller)
        let outcome = try await self.toggle(toggle, character: character(id))
        guard case .done(let result) = outcome else {
            throw ContractViolation(description: "toggling \(id): \(outcome)")
        }
        try expect(result.place?.position(on: list)?.revision, result.revision, "the place of an answer")
        try expect(result.place?.position(on: list)?.history, history, "the history of an answer's place")
        return result
    }

    /// The ids on a list.
    func ids(_ list: ListName = .default) async throws -> [Int64] {
        try await favorites(list).favorites.map(\.character.id)
    }

    /// All changes of a list after a revision.
    func allChanges(of list: ListName = .default, after revision: Int64 = 0) async throws -> [FavoritesChange] {
        guard case .changes(let changes) = try await changes(of: list, after: revision, limit: 10_000) else {
            throw ContractViolation(description: "the changes after \(revision) are not there")
        }
        return changes
    }
}
