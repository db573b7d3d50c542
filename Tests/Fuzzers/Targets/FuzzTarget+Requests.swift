internal import Catalog
internal import MarvelDomain
internal import MarvelService
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// Every method, up to where it would wait for a disk: the first byte chooses it, the others are its request. What is
/// refused is refused for a reason that the caller can read; what is answered at once is a message.
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

    private static let methods = CharacterService(catalog: BuiltInCatalog.catalog(), store: ConstantStore())
        .services.flatMap(\.methods)

    private static func check(_ message: any OutgoingMessage, of method: Method, _ findings: inout Findings) {
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
            default:
                _ = try HealthCheckResponse(decoding: bytes, limit: .response)
            }
        } catch {
            findings.expect(false, "\(method.name) answers what cannot be decoded: \(error)")
        }
    }
}

/// Holds one favorite on every list, for ever.
private struct ConstantStore: FavoritesStore {
    let history = HistoryID(616)

    func reach(_ revision: Int64, of list: ListName) async throws(StoreError) -> Bool { false }

    func favoriteIDs(_ list: ListName) -> [Int64] { [1_009_610] }

    func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        FavoritesList(favorites: [], revision: 0, capacity: 5)
    }

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome {
        .characterNeeded
    }

    func bringUpToDate(
        _ ids: Set<Int64>,
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int { 0 }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] { [] }

    func delete(_ list: ListName) async throws(StoreError) -> ListDeletion {
        ListDeletion(revision: 0, existed: false)
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        .changes([])
    }

    func observeChanges(_ observer: @escaping @Sendable (ListName, FavoritesChange) -> Void) {}
}
