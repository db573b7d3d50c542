import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import RPCServer
import SampleRequests
import StoreContract
import Testing
import WireClients
import WireMessages

@testable import MarvelService

/// Each method over each wire: without its scope it is refused, and with it served.
@Suite(.timeLimit(.minutes(10)))
struct MethodScopeTests {
    private static let hulk: Int64 = 1_009_351

    /// A method of the `.proto` files, with a request and the scope that it needs.
    struct Case: Sendable, CustomTestStringConvertible {
        var path: MethodPath
        var isStream: Bool
        var request: ByteBuffer
        /// Empty if it needs none.
        var scope: String

        /// - Returns: Nil for a conversation, which our client has none of, and for a method without a sample request.
        init?(_ method: any DeclaredMethod) {
            guard method.kind != .bidirectional, let sample = SampleRequests.all[method.path] else { return nil }
            path = method.path
            isStream = method.kind == .serverStreaming
            request = sample.plain.encoded()
            scope = method.scope?.replacing(/:L$/, with: ":\(SampleRequests.list)") ?? ""
        }

        /// Scopes that are close, and not enough.
        var others: [String] {
            let list = SampleRequests.list.dropLast()
            return switch scope.split(separator: ":").prefix(2) {
            case ["lists", "read"]: ["catalog:read", "lists:read:\(list)", "lists:write:\(list)"]
            case ["lists", "write"]: ["lists:read:*", "lists:write:\(list)", "lists:write:\(list)k*"]
            default: ["lists:write:*"]
            }
        }

        var testDescription: String { "\(path) \(scope)" }
    }

    static let cases = (MarvelServiceMethods.all + HealthMethods.all).compactMap { Case($0) }

    @Test(arguments: cases)
    func aMethodIsServedWithItsScopeOnly(_ method: Case) async throws {
        let everything = try ["catalog:read", "catalog:edit", "lists:write:zz*", "admin"].map {
            try #require(Scope($0))
        }
        let others = try method.others.map { try #require(Scope($0)) }
        let scope = Scope(method.scope).map { [$0] } ?? []
        // All others, but for the one that it needs.
        let almost = everything.filter { $0.description != method.scope }
        let records = [
            TestToken.record(1, scope), TestToken.record(2, others), TestToken.record(3, almost),
            TestToken.record(4, []),
        ]
        try await GuardedServer.run(records) { guarded in
            for wire in Wire.ports {
                try await guarded.withPeer(wire) { peer in
                    func call(_ number: UInt8?) async throws -> Result<ByteBuffer?, RPCError> {
                        let metadata = number.map { TestToken.metadata(TestToken.token($0)) } ?? []
                        return try await peer.first(method.path, isStream: method.isStream, method.request, metadata)
                    }
                    let served = try await call(1)
                    if method.scope == "catalog:edit" {
                        // The server has no edits, which is the second thing that is asked.
                        #expect(served.error?.reason == .editsUnsupported, "\(wire)")
                    } else {
                        #expect(throws: Never.self, "\(wire)") { try served.get() }
                    }
                    guard !method.scope.isEmpty else {
                        #expect(throws: Never.self) { try served.get() }
                        let stranger = try await call(nil)
                        #expect(throws: Never.self) { try stranger.get() }
                        return
                    }
                    for number in [2, 3, 4] as [UInt8] {
                        let error = try await call(number).error
                        #expect(error?.code == .permissionDenied, "\(wire) \(number)")
                        #expect(error?.reason == .scopeMissing)
                        #expect(error?.message == "reader lacks \(method.scope).")
                    }
                    let error = try await call(nil).error
                    #expect(error?.code == .unauthenticated)
                    #expect(error?.reason == .tokenMissing)
                    #expect(error?.message == "A token is needed.")
                }
            }
        }
    }

    /// An error is the same before a list exists and after.
    @Test func aRefusalRevealsNothingAboutExistence() async throws {
        let records = [
            TestToken.record(1, [.listsWrite(.all)], name: "owner"), TestToken.record(2, [.catalogRead]),
        ]
        try await GuardedServer.run(records) { guarded in
            try await guarded.withPeer(.framed) { peer in
                func refusal() async throws -> RPCError? {
                    let request = ListFavoritesRequest(list: "secret").encoded()
                    let metadata = TestToken.metadata(TestToken.token(2))
                    return try await peer.first(MarvelServiceMethods.listFavorites.path, request, metadata).error
                }
                let before = try #require(try await refusal())
                let toggle = ToggleFavoriteRequest(list: "secret", characterID: Self.hulk, desired: .saved)
                let made = try await peer.first(
                    MarvelServiceMethods.toggleFavorite.path,
                    toggle.encoded(),
                    TestToken.metadata(TestToken.token(1))
                )
                #expect(throws: Never.self) { try made.get() }
                #expect(before.message == "reader lacks lists:read:secret.")
                #expect(try await refusal() == before)
            }
        }
    }
}
