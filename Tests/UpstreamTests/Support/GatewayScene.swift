import Catalog
import MarvelDomain
import Testing
import Upstream

/// A gateway's catalog and pictures on a clock of the test's.
struct GatewayScene {
    let time: ManualTime
    let counts: UpstreamCounts
    let catalog: GatewayCatalog
    let pictures: GatewayPictures

    init(
        _ transport: any HTTPFetcher,
        policy: CachePolicy = CachePolicy(),
        callsPerDay: Int? = nil,
        limits: UpstreamLimits = UpstreamLimits()
    ) throws {
        let keys = try #require(MarvelKeys(publicKey: "public-key", privateKey: "private-key"))
        let (time, counts) = (ManualTime(), UpstreamCounts())
        let url = try GatewayURL("http://gateway.test")
        // Another one with each call, as `ts` and `hash` then are.
        let client = MarvelAPIClient(gateway: url, keys: keys, transport: transport) {
            "\(time.now.milliseconds)-\(counts[.call])"
        }
        let budget = callsPerDay.map { CallBudget(callsPerDay: $0, at: time.now) }
        let caller = UpstreamCaller(limits: limits, budget: budget, clock: time.clock, counts: counts)
        catalog = GatewayCatalog(
            answers: GatewayAnswers(client: client, caller: caller, policy: policy, clock: time.clock, counts: counts)
        )
        self.time = time
        self.counts = counts
        pictures = GatewayPictures(
            client: PictureClient(hosts: PictureHosts(of: url), transport: transport),
            limits: limits,
            policy: policy,
            clock: time.clock,
            counts: counts
        )
    }

    func search(_ text: String = "spider", offset: Int = 0, limit: Int = 10) async throws -> CharacterPage {
        try await catalog.search(SearchQuery(text), match: .prefix, at: PagePlace(offset: offset), limit: limit).value
    }
}

/// Two characters whose names begin with "Spider".
let spiders = [MarvelCharacter(id: 1, name: "Spider-Man"), MarvelCharacter(id: 2, name: "Spider-Woman")]

extension HTTPResponse {
    static var spiders: HTTPResponse { .page(UpstreamTests.spiders[...], offset: 0, total: 2) }
}
