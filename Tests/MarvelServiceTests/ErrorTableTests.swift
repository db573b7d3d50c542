import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ErrorTableTests {
    @Test(
        arguments: [
            (SourceError.credentials("unknown"), StatusCode.failedPrecondition, .upstreamCredentials, nil),
            (.untrusted("certificate expired"), .failedPrecondition, .upstreamUntrusted, nil),
            (.quota(retryAfter: .seconds(60)), .resourceExhausted, .upstreamQuota, .seconds(60)),
            (.quota(retryAfter: nil), .resourceExhausted, .upstreamQuota, .seconds(900)),
            (
                .budgetSpent(callsPerDay: 3_000, retryAfter: .seconds(3_600)), .resourceExhausted, .budgetSpent,
                .seconds(3_600)
            ),
            (
                .shareSpent(calls: 1_500, callsPerDay: 3_000, retryAfter: .seconds(60)), .resourceExhausted,
                .budgetShare, .seconds(60)
            ),
            (.quota(retryAfter: .seconds(86_400)), .resourceExhausted, .upstreamQuota, .seconds(3_600)),
            (
                .circuitOpen(lastFailure: "no answer", retryAfter: .seconds(40)), .unavailable, .upstreamUnavailable,
                .seconds(40)
            ),
            (.overloaded(maximumRequests: 64), .resourceExhausted, .upstreamOverloaded, .seconds(1)),
            (.rejected("We don't recognize the parameter foo"), .internalError, .upstreamRejected, nil),
            (.failed("out of memory"), .internalError, .upstreamFailed, nil),
            (.unavailable(status: 503, retryAfter: .seconds(5)), .unavailable, .upstreamUnavailable, .seconds(5)),
            (.unavailable(status: 500, retryAfter: nil), .unavailable, .upstreamUnavailable, .seconds(1)),
            (.unreachable("connection refused"), .unavailable, .upstreamUnavailable, .seconds(1)),
            (.interrupted("connection reset"), .unavailable, .upstreamUnavailable, .seconds(1)),
            (.timedOut, .unavailable, .upstreamUnavailable, .seconds(1)),
            (.invalidReply("HTML"), .unavailable, .upstreamInvalid, nil),
            (.tooLarge(maximumByteCount: 4096), .unavailable, .upstreamInvalid, nil),
            (.notFound, .unavailable, .upstreamInvalid, nil),
            (.cancelled, .cancelled, .cancelled, nil),
            (.shutDown, .unavailable, .draining, .seconds(1)),
        ] as [(SourceError, StatusCode, ErrorReason, Duration?)]
    )
    func aGatewayFailureHasAdviceForTheCaller(
        _ failure: SourceError,
        _ code: StatusCode,
        _ reason: ErrorReason,
        _ delay: Duration?
    ) async {
        let service = CharacterService(catalog: TestCatalog(failure: .upstream(failure)), store: MemoryFavoritesStore())
        let calls = [
            ("SearchCharacters", SearchCharactersRequest(query: "spider").encoded()),
            ("GetCharacter", GetCharacterRequest(id: 1).encoded()),
            ("ToggleFavorite", ToggleFavoriteRequest(characterID: 1).encoded()),
        ]
        for (method, payload) in calls {
            let error = await service.error(method, payload)
            #expect(error?.code == code)
            #expect(error?.reason == reason)
            #expect(error?.retryDelay == delay)
        }
    }

    /// One error at least of every kind that the service makes.
    static let all: [RPCError] = {
        let upstream: [SourceError] = [
            .credentials("unknown"), .quota(retryAfter: .seconds(60)),
            .quota(retryAfter: nil),
            .rejected("limit is 0"), .notFound, .unavailable(status: 503, retryAfter: nil), .invalidReply("HTML"),
            .unreachable("refused"), .untrusted("expired"), .interrupted("reset"), .timedOut,
            .tooLarge(maximumByteCount: 4_194_304), .overloaded(maximumRequests: 64), .cancelled, .shutDown,
            .failed("memory"), .budgetSpent(callsPerDay: 3_000, retryAfter: .seconds(7)),
            .shareSpent(calls: 1_500, callsPerDay: 3_000, retryAfter: .seconds(7)),
            .circuitOpen(lastFailure: "no answer in time", retryAfter: .seconds(7)),
        ]
        let store: [StoreError] = [
            .requestIDReused, .listLimitReached(maximum: 100_000), .ownedListLimitReached(maximum: 100),
            .ownedListLimitReached(maximum: 0), .overloaded, .notWritable("disk full"), .notReadable("damaged"),
            .unavailable("no primary"), .outcomeUnknown("a sync failed"),
        ]
        let requests: [RPCError] = [
            RPCError(SearchQuery.Refusal.tooShort(letters: 1)), RPCError(SearchQuery.Refusal.tooLong(letters: 101)),
            RPCError(PageToken.Refusal.malformed), RPCError(PageToken.Refusal.otherSearch),
            RPCError(CatalogError.placeLost), RPCError(CharacterFields.UnknownPath(index: 6)),
            .tooLow(-7, field: "page_size", .pageSizeInvalid), .tooLow(-7, field: "skip", .skipInvalid),
            .tooLow(-7, field: "max_pages", .maxPagesInvalid), .tooLow(-7, field: "limit", .limitInvalid),
            RPCError(CatalogError.cancelled),
            RPCError(CatalogError.overloaded(maximumSearches: 1024)),
            RPCError(CatalogError.shareSpent(maximumSearches: 4)),
            .tooLow(-7, field: "id", minimum: 1, .characterIDInvalid), .listNameInvalid(), .requestIDInvalid(),
            .desiredUnknown(DesiredValue(rawValue: 7)), .characterNotFound(7), .serviceUnknown(),
            .matchUnsupported(MatchValue(rawValue: 7), supported: [.prefix]),
            .tooLow(-7, field: "from_revision", .revisionInvalid),
            .revisionAhead(7, current: 5, FavoritesPlace("five")),
            .revisionCompacted(5, oldest: 7, FavoritesPlace("seven")), .placeInvalid(),
            .placeInvalid(field: "at_least"),
            .placeAndRevision(), .historyChanged(), .variantUnknown(), .prefixInvalid(), .listsPageTokenInvalid(),
            .thumbnailNotFound(7, .hostNotAllowed), .watchRefused(.total(7)), .watchRefused(.caller(7)),
        ]
        let edits: [StoreError] = [
            .characterExists(7), .editConflict(current: 7), .requestIDReused, .editLimitReached(maximum: 7),
            .notWritable("disk full"), .overloaded, .cancelled,
            .notReadable("damaged"), .outcomeUnknown("a sync failed"),
        ]
        let wrong = [EditProblem("character.name", "name has 7 letters"), EditProblem("picture", "no picture")]
        return upstream.map { RPCError($0) } + store.map { RPCError($0) } + requests
            + edits.map { RPCError(ofEdit: $0) }
            + [.characterInvalid(wrong), .editsNotAllowed(), .editsUnsupported()]
            + Match.allCases.map { RPCError(CatalogError.matchUnsupported($0)) }
    }()

    @Test func everyErrorCarriesAReason() throws {
        for error in Self.all {
            #expect(try #require(error.info).domain == "marvel-rpc")
            #expect(!error.message.isEmpty)
            #expect(error.origin == .local)
        }
    }

    /// Programs read the numbers from the metadata, never out of the text.
    @Test func everyNumberInTheTextIsInTheMetadata() throws {
        for error in Self.all {
            let metadata = try #require(error.info).metadata
            let values = metadata.values.joined(separator: " ")
            for number in error.message.matches(of: /-?[0-9]+/) {
                // Of a rule's own letters (`A-Z a-z 0-9`) there is nothing to read.
                guard error.reason != .listNameInvalid, error.reason != .prefixInvalid else { continue }
                #expect(values.contains(number.output) || number.output == "1", "\(error)")
            }
        }
    }

    @Test func everyInvalidArgumentNamesItsField() {
        for error in Self.all where error.code == .invalidArgument {
            #expect(error.violatedField != nil, "\(error)")
            #expect(error.violatedField == error.info?.metadata["field"])
        }
    }
}
