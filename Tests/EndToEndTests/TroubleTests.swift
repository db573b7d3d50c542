import Foundation
import Testing

/// Things that go wrong outside: each is told to the one who can act on it, and the server continues.
@Suite(.timeLimit(.minutes(10)))
struct TroubleTests {
    struct Fault: Sendable, CustomStringConvertible {
        let description: String
        let gatewayArguments: [String]
        /// Searches that succeed before the fault shows.
        var goodSearches = 0
        /// 64 + the status code.
        let exitStatus: Int32
    }

    @Test(arguments: [
        Fault(description: "500", gatewayArguments: ["--error-rate", "1"], exitStatus: 78),
        Fault(description: "cut in half", gatewayArguments: ["--cut-rate", "1"], exitStatus: 78),
        Fault(description: "wrong JSON", gatewayArguments: ["--wrong-json-rate", "1"], exitStatus: 78),
        Fault(description: "429", gatewayArguments: ["--rate-limit", "1/24h"], goodSearches: 1, exitStatus: 72),
    ])
    func aFailingGatewayIsReportedAndTheServerContinues(_ fault: Fault) async throws {
        try await Stand.run(.gateway(fault.gatewayArguments)) { stand in
            for _ in 0..<fault.goodSearches {
                try await succeeded(stand.marvel("search", "spider", "--pages", "1"))
            }
            let search = try await stand.marvel("search", "spider")
            #expect(search.status == fault.exitStatus, "\(search.errors)")
            #expect(!search.errors.isEmpty)
            #expect(!(search.errors + stand.server.errorText).contains(Stand.keys["MARVEL_PRIVATE_KEY"] ?? ""))
            let favorites = try await stand.marvel("favorites")
            #expect(favorites.status == 0)
        }
    }
}
