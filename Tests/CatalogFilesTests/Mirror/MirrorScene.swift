internal import Catalog
internal import Foundation
internal import MarvelAPI
internal import MarvelDomain
internal import Synchronization
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// A mirror of a gateway in memory, on a clock that moves when somebody sleeps.
final class MirrorScene: Sendable {
    static let start = Moment(sinceEpoch: .seconds(1_790_000_040))
    static let address = "http://gateway.test"

    let gateway: ListGateway
    let path: String
    let stop = MirrorStop()
    private let time = Mutex((now: MirrorScene.start, slept: [Duration]()))

    init(_ gateway: ListGateway, _ path: String) {
        self.gateway = gateway
        self.path = path
    }

    var now: Moment { time.withLock(\.now) }
    var slept: [Duration] { time.withLock(\.slept) }

    func pass(_ duration: Duration) { time.withLock { $0.now = $0.now + duration } }

    var clock: UpstreamClock {
        UpstreamClock(
            now: { self.now },
            sleep: { duration in
                try Task.checkCancellation()
                self.time.withLock { time in
                    time.now = time.now + duration
                    time.slept.append(duration)
                }
            },
            random: { 0 }
        )
    }

    @discardableResult
    func run(
        callsPerDay: Int = 3_000,
        address: String = MirrorScene.address,
        _ change: (inout MirrorOrder) -> Void = { _ in },
        report: @escaping @Sendable (MirrorEvent) -> Void = { _ in }
    ) async throws -> MirrorPlan {
        var order = MirrorOrder(gateway: address, file: path)
        change(&order)
        let keys = try #require(MarvelKeys(publicKey: "public-key", privateKey: "private-key"))
        let file = try MirrorFile(order, at: Timestamp(seconds: now.sinceEpoch.components.seconds))
        let ledger = try MirrorLedger(file) { Issue.record("\($0)") }
        let budget = await ledger.budget(callsPerDay: callsPerDay, at: now)
        let url = try GatewayURL(address)
        let mirror = Mirror(
            order,
            file: file,
            ledger: ledger,
            client: MarvelAPIClient(gateway: url, keys: keys, transport: gateway) { "1" },
            caller: UpstreamCaller(gate: UpstreamGate(budget: budget), ledger: ledger, clock: clock),
            pictures: PictureClient(hosts: PictureHosts(of: url), transport: gateway),
            clock: clock,
            stop: stop,
            report: report
        )
        return try await mirror.run()
    }

    func characters() throws -> [MarvelCharacter] { try CatalogFileReader(path).characters() }
}

/// That many characters, in the order of names and of ids.
func crowd(_ count: Int) -> [MarvelCharacter] {
    (1...count).map { MarvelCharacter(id: Int64($0), name: "Name \(10_000 + $0)") }
}
