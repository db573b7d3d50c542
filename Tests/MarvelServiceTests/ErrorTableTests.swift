import Catalog
import CatalogEdits
import Foundation
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ErrorTableTests {
    @Test(
        arguments: [
            (SourceError.credentials("unknown"), StatusCode.failedPrecondition, "UPSTREAM_CREDENTIALS", nil),
            (.untrusted("certificate expired"), .failedPrecondition, "UPSTREAM_UNTRUSTED", nil),
            (.quota(retryAfter: .seconds(60)), .resourceExhausted, "UPSTREAM_QUOTA", .seconds(60)),
            (.quota(retryAfter: nil), .resourceExhausted, "UPSTREAM_QUOTA", .seconds(900)),
            (
                .budgetSpent(callsPerDay: 3_000, retryAfter: .seconds(3_600)), .resourceExhausted, "BUDGET_SPENT",
                .seconds(3_600)
            ),
            (
                .shareSpent(calls: 1_500, callsPerDay: 3_000, retryAfter: .seconds(60)), .resourceExhausted,
                "BUDGET_SHARE", .seconds(60)
            ),
            (.quota(retryAfter: .seconds(86_400)), .resourceExhausted, "UPSTREAM_QUOTA", .seconds(3_600)),
            (
                .circuitOpen(lastFailure: "no answer", retryAfter: .seconds(40)), .unavailable, "UPSTREAM_UNAVAILABLE",
                .seconds(40)
            ),
            (.overloaded(maximumRequests: 64), .resourceExhausted, "UPSTREAM_OVERLOADED", .seconds(1)),
            (.rejected("We don't recognize the parameter foo"), .internalError, "UPSTREAM_REJECTED", nil),
            (.failed("out of memory"), .internalError, "UPSTREAM_FAILED", nil),
            (.unavailable(status: 503, retryAfter: .seconds(5)), .unavailable, "UPSTREAM_UNAVAILABLE", .seconds(5)),
            (.unavailable(status: 500, retryAfter: nil), .unavailable, "UPSTREAM_UNAVAILABLE", .seconds(1)),
            (.unreachable("connection refused"), .unavailable, "UPSTREAM_UNAVAILABLE", .seconds(1)),
            (.interrupted("connection reset"), .unavailable, "UPSTREAM_UNAVAILABLE", .seconds(1)),
            (.timedOut, .unavailable, "UPSTREAM_UNAVAILABLE", .seconds(1)),
            (.invalidReply("HTML"), .unavailable, "UPSTREAM_INVALID", nil),
            (.tooLarge(maximumByteCount: 4096), .unavailable, "UPSTREAM_INVALID", nil),
            (.notFound, .unavailable, "UPSTREAM_INVALID", nil),
            (.cancelled, .cancelled, "CANCELLED", nil),
            (.shutDown, .unavailable, "DRAINING", .seconds(1)),
        ] as [(SourceError, StatusCode, String, Duration?)]
    )
    func aFailureOfTheGatewayTellsTheCallerWhatToDo(
        _ failure: SourceError,
        _ code: StatusCode,
        _ reason: String,
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

    private static let all: [RPCError] = {
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
            .requestIDReused, .listLimitReached(maximum: 100_000), .overloaded, .notWritable("disk full"),
            .notReadable("damaged"),
        ]
        let requests: [RPCError] = [
            RPCError(SearchQuery.Refusal.tooShort(letters: 1)), RPCError(SearchQuery.Refusal.tooLong(letters: 101)),
            RPCError(PageToken.Refusal.malformed), RPCError(PageToken.Refusal.otherSearch),
            RPCError(CatalogError.placeLost),
            .negative(-7, field: "page_size"), .negative(-7, field: "skip"), .negative(-7, field: "max_pages"),
            .negative(-7, field: "limit"), RPCError(CatalogError.cancelled),
            RPCError(CatalogError.overloaded(maximumSearches: 1024)),
            .characterIDInvalid(-7, field: "id"), .listNameInvalid(), .requestIDInvalid(),
            .desiredUnknown(DesiredValue(rawValue: 7)), .characterNotFound(7), .serviceUnknown(),
            .matchUnsupported(MatchValue(rawValue: 7), supported: [.prefix]), .methodNotBuilt("List"),
            .revisionInvalid(-7), .revisionAhead(7, current: 5, FavoritesPlace("five")),
            .revisionCompacted(5, oldest: 7, FavoritesPlace("seven")), .placeInvalid(),
            .placeInvalid(field: "at_least"),
            .placeAndRevision(), .historyChanged(),
        ]
        let edits: [EditError] = [
            .exists(7), .conflict(current: 7), .requestIDReused, .limitReached(maximum: 7), .notWritable("disk full"),
            .notReadable("damaged"),
        ]
        let wrong = [EditProblem("character.name", "name has 7 letters"), EditProblem("picture", "no picture")]
        return upstream.map { RPCError($0) } + store.map { RPCError($0) } + requests + edits.map { RPCError($0) }
            + [.characterInvalid(wrong), .editsNotAllowed(), .editsUnsupported()]
            + Match.allCases.map { RPCError(CatalogError.matchUnsupported($0)) }
    }()

    /// ECOSYSTEM B: a reason is UPPER_SNAKE_CASE, at most 63 characters, in our domain.
    @Test func everyErrorCarriesAReason() throws {
        for error in Self.all {
            let info = try #require(error.info)
            #expect(info.domain == "marvel-rpc")
            #expect((1...63).contains(info.reason.count))
            #expect(info.reason.wholeMatch(of: /[A-Z][A-Z0-9_]+[A-Z0-9]/) != nil)
            #expect(!error.message.isEmpty)
            #expect(error.origin == .local)
        }
    }

    /// Whoever generates a client from the `.proto` finds every reason there.
    @Test func everyReasonIsNamedInTheProto() throws {
        let protos = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Protos")
        let text = try ["marvel/v1/marvel.proto", "grpc/health/v1/health.proto"].map {
            try String(contentsOf: protos.appending(path: $0), encoding: .utf8)
        }
        let named = Set(text.joined().matches(of: /[A-Z][A-Z0-9_]+/).map { String($0.output) })
        for error in Self.all { #expect(named.contains(try #require(error.reason)), "\(error)") }
    }

    @Test func everyKindOfDetailOccursAtMostOnce() {
        for error in Self.all {
            let kinds = error.details.map { detail in
                switch detail {
                case .errorInfo: "info"
                case .badRequest: "request"
                case .retryInfo: "retry"
                case .quotaFailure: "quota"
                case .other(let typeURL, _): typeURL
                }
            }
            #expect(Set(kinds).count == kinds.count)
        }
    }

    /// Programs read the numbers from the metadata, never out of the text.
    @Test func everyNumberInTheTextIsInTheMetadata() throws {
        for error in Self.all {
            let metadata = try #require(error.info).metadata
            let values = metadata.values.joined(separator: " ")
            for number in error.message.matches(of: /-?[0-9]+/) {
                // Of a rule's own letters (`A-Z a-z 0-9`) there is nothing to read.
                guard error.reason != "LIST_NAME_INVALID" else { continue }
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

    @Test func everyErrorComesOverTheWireAsItIs() throws {
        for error in Self.all {
            var received = try RPCError(decodingStatus: error.encodedStatus(), limit: .response)
            #expect(received.origin == .peer)
            received.origin = .local
            #expect(received == error)
        }
    }
}
