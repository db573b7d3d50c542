package import MarvelDomain
internal import Synchronization

/// The behaviour that every `FavoritesStore` must have, as cases that a test runs on a store.
package struct FavoritesContract: Sendable, CustomStringConvertible {
    /// The limits of a store.
    package struct Limits: Sendable {
        /// The number of favorites that a list holds.
        package var capacity = 5
        package var maximumLists = 100
        /// The maximum number of answers to requests.
        package var answers: Int64 = 1_000_000
        /// The number of changes of each list that are kept.
        package var changesPerList: Int64 = 1_000
    }

    /// A kind of store under test.
    package protocol Stage: Sendable {
        /// The wall clock of the stores.
        var clock: ContractClock { get }

        /// Makes an empty store.
        func make(_ limits: Limits) async throws -> any FavoritesStore

        /// Closes a store, and opens it again with another capacity.
        func reopen(_ store: any FavoritesStore, capacity: Int) async throws -> any FavoritesStore

        /// Opens another store of the same lists, as a second server does.
        ///
        /// - Returns: The store; nil if a store of this kind is alone.
        func second(of store: any FavoritesStore) async throws -> (any FavoritesStore)?
    }

    package let description: String
    private let body: @Sendable (any Stage) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any Stage) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Runs the case.
    ///
    /// - Parameter stage: Makes the stores that the case needs.
    /// - Throws: `ContractViolation` if a store does something else, or what the store threw.
    package func run(on stage: any Stage) async throws { try await body(stage) }

    /// All cases.
    package static let all =
        lists + owners + requests + changes + feed + names + deletions + concurrency + order + waiting + progress
        + settings
}

extension FavoritesContract.Stage {
    func make(_ capacity: Int = 5, _ maximumLists: Int = 100) async throws -> any FavoritesStore {
        try await make(FavoritesContract.Limits(capacity: capacity, maximumLists: maximumLists))
    }

    package func second(of store: any FavoritesStore) async throws -> (any FavoritesStore)? { nil }
}

/// A wall clock that moves when told to.
package final class ContractClock: Sendable {
    private let seconds = Mutex<Int64>(1_700_000_000)

    package init() {}

    package var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }

    func advance(by interval: Int64) { seconds.withLock { $0 += interval } }
}

/// A difference between a store and its contract.
package struct ContractViolation: Error, CustomStringConvertible {
    package let description: String
}

/// Checks that two values are equal.
func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String = "") throws {
    guard actual == expected else {
        throw ContractViolation(description: "\(what()): is \(actual), expected \(expected)")
    }
}

/// Checks that a call fails with an error.
func expect(_ error: StoreError, _ what: String, from body: () async throws -> some Any) async throws {
    do {
        let value = try await body()
        throw ContractViolation(description: "\(what): returned \(value), expected the error \(error)")
    } catch let actual as StoreError {
        try expect(actual, error, what)
    }
}

func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Character \(id)") }

extension ListName {
    /// - Parameter text: A valid name.
    /// - Throws: `ContractViolation` if it is not.
    init(valid text: String) throws {
        guard let name = ListName(text) else { throw ContractViolation(description: "\(text) is not a name") }
        self = name
    }
}

extension FavoritesStore {
    /// Toggles a character whose snapshot is at hand, and returns the answer.
    @discardableResult
    package func answer(
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
        return result
    }

    /// The ids on a list.
    package func ids(_ list: ListName = .default) async throws -> [Int64] {
        try await favorites(list).favorites.map(\.character.id)
    }

    /// The changes of a list after a revision.
    ///
    /// - Throws: `ContractViolation` if they are not there, or what the store threw.
    package func allChanges(
        of list: ListName = .default,
        after revision: Int64 = 0,
        limit: Int = 10_000
    ) async throws -> [FavoritesChange] {
        guard case .changes(let changes) = try await changes(of: list, after: revision, limit: limit) else {
            throw ContractViolation(description: "the changes after \(revision) are not there")
        }
        return changes
    }
}
