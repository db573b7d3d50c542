internal import Catalog
internal import MarvelDomain
internal import MarvelService
internal import NIOCore
internal import RPCCore
internal import TestClocks
internal import WireMessages

/// Every method, up to where it would wait for a disk: the first byte chooses it, the others are its request. A refusal
/// has a reason that the caller can read. An immediate answer is a message.
extension FuzzTarget {
    static let requests = FuzzTarget("requests") { bytes in
        var findings = Findings()
        var payload = bytes
        let choice: UInt8 = payload.readInteger() ?? 0
        let method = methods[Int(choice) % methods.count]
        do throws(RPCError) {
            var step: Step? = try method.start(IncomingCall(payload: payload))
            for _ in 0..<3 {
                guard case .message(let message, let rest) = step else { break }
                check(message, of: method, &findings)
                step = try rest?.next()
            }
        } catch {
            findings.expect(error.reason != nil, "\(method.name) is refused without a reason")
            let isCallersFault = ![.internalError, .unknown, .ok, .dataLoss].contains(error.code)
            findings.expect(isCallersFault, "\(method.name) fails: \(error)")
            let arrived = try? RPCError(decodingStatus: error.encodedStatus(), limit: .response)
            findings.expect(arrived?.details == error.details, "the refusal of \(method.name) changes on its way")
        }
        return findings.breaches
    }

    private static let methods = loadedService().services.flatMap(\.methods)

    /// Returns a service that knows all lists, so that no search has to wait for the store.
    private static func loadedService() -> CharacterService {
        let executor = SteppedExecutor()
        let service = CharacterService(
            catalog: BuiltInCatalog.catalog(),
            store: ConstantStore(),
            runtime: .stepped(executor)
        )
        Task(executorPreference: executor) { try await service.load() }
        executor.run()
        return service
    }

    private static func check(_ message: any OutgoingMessage, of method: RPCMethod, _ findings: inout Findings) {
        var bytes = ByteBuffer()
        // Traps if the message is not as long as it says.
        bytes.write(byteCount: message.byteCount) { message.write(to: &$0) }
        do throws(WireError) {
            switch method.name {
            case "SearchCharacters":
                let page = try SearchCharactersResponse(decoding: bytes, limit: .response)
                findings.expect(page.characters.count <= 100, "a page has \(page.characters.count) characters")
                findings.expect(page.characters.count <= page.total, "a page has more characters than there are")
            case "GetCharacter":
                let answer = try GetCharacterResponse(decoding: bytes, limit: .response)
                findings.expect(answer.character != nil, "a character that was found is not in the answer")
            case "SuggestNames":
                let answer = try SuggestNamesResponse(decoding: bytes, limit: .response)
                findings.expect(answer.names.count <= 50, "\(answer.names.count) names are suggested")
                findings.expect(Set(answer.names).count == answer.names.count, "a name is suggested twice")
                findings.expect(answer.matches.count == answer.names.count, "a name is suggested without its match")
            case "GetCatalogInfo":
                let answer = try GetCatalogInfoResponse(decoding: bytes, limit: .response)
                findings.expect(!answer.matches.isEmpty, "the catalog compares names in no way")
            default:
                guard let json = method.json else { break }
                findings.expect((try? json.encodeResponse(bytes)) != nil, "the answer of \(method.name) has no JSON")
            }
        } catch {
            findings.expect(false, "\(method.name) answers what cannot be decoded: \(error)")
        }
    }
}

/// A store whose one list holds one favorite, and never changes.
private struct ConstantStore: FavoritesStore {
    let history = HistoryID(616)
    let feed = StoreFeed()

    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        ListSnapshot(FavoritesList(favorites: [], revision: 0, capacity: 5), in: history)
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        .changes([])
    }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] {
        [ListSummary(name: .default, revision: 1, ids: [1_009_610])]
    }

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(.success(.characterNeeded))
        return {}
    }

    func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(.success(ListDeletion(revision: 0, existed: false)))
        return {}
    }
}
