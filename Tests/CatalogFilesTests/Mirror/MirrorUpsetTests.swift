internal import Catalog
internal import Foundation
internal import GRDB
internal import MarvelAPI
internal import MarvelDomain
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// Gateways that change while they are copied, and gateways that claim what they do not send.
struct MirrorUpsetTests {
    /// Something that happens to the list between two requests.
    enum Upset: CaseIterable {
        case oneGoesAndOneComesInFront, oneGoesInFrontAndOneComesBehind, oneGoesBehindAndOneComesInFront
        case oneGoesAndOneComesBehind, oneGoes, oneComes, manyGo, manyCome, theEndsOfPagesGo, half

        func happen(to characters: inout [MarvelCharacter]) {
            let first = MarvelCharacter(id: 9_000, name: "Aaa")
            let last = MarvelCharacter(id: 9_001, name: "Zzz")
            switch self {
            case .oneGoesAndOneComesInFront:
                characters.remove(at: 3)
                characters.insert(first, at: 0)
            case .oneGoesInFrontAndOneComesBehind:
                characters.remove(at: 3)
                characters.append(last)
            case .oneGoesBehindAndOneComesInFront:
                characters.removeLast()
                characters.insert(first, at: 0)
            case .oneGoesAndOneComesBehind:
                characters.removeLast()
                characters.append(last)
            case .oneGoes: characters.removeFirst()
            case .oneComes: characters.insert(first, at: 0)
            case .manyGo: characters.removeFirst(40)
            case .manyCome:
                let many = (1...150).map { MarvelCharacter(id: 8_000 + $0, name: "Aaa \(1_000 + $0)") }
                characters.insert(contentsOf: many, at: 0)
            case .theEndsOfPagesGo:
                let ends: [ClosedRange<Int64>] = [93...105, 188...200, 283...295]
                characters.removeAll { character in ends.contains { $0.contains(character.id) } }
            case .half: characters.removeAll { $0.id.isMultiple(of: 2) }
            }
        }
    }

    @Test(arguments: Upset.allCases, 1...4)
    func nothingThatStaysIsLost(_ upset: Upset, atRequest number: Int) async throws {
        try await withTemporaryFolder { folder in
            let gateway = ListGateway(crowd(350)) { gateway, request in
                if request == number { gateway.change { upset.happen(to: &$0) } }
            }
            let scene = MirrorScene(gateway, folder.file("marvel.catalog"))
            try await scene.run()
            let ids = Set(try scene.characters().map(\.id))
            let stayed = Set(gateway.characters.map(\.id)).intersection(crowd(350).map(\.id))
            #expect(ids.isSuperset(of: stayed), "\(stayed.subtracting(ids).sorted())")
            #expect(ids.count >= gateway.characters.count)
        }
    }

    /// Something that a gateway makes of an answer.
    enum Fault: CaseIterable {
        case firstPageAgain, nothing, nothingAndNoTotal, aThousand, half

        func spoil(_ page: inout ListGateway.Page) {
            switch self {
            case .firstPageAgain: page.characters = Array(crowd(350).prefix(page.characters.count))
            case .nothing: page.characters = []
            case .nothingAndNoTotal: page = ListGateway.Page(characters: [], total: 0)
            case .aThousand: page.total = 1_000
            case .half: page.characters.removeSubrange((page.characters.count / 2)...)
            }
        }
    }

    /// Once, at each request; or in every answer.
    @Test(arguments: Fault.allCases, [1, 2, 3, 4, nil])
    func aGoodFileIsReplacedByAWholeOneOnly(_ fault: Fault, atRequest number: Int?) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("marvel.catalog")
            try await MirrorScene(ListGateway(crowd(20)), path).run()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let gateway = ListGateway(
                crowd(350),
                onPage: { [number] request, page in
                    if number == nil || number == request { fault.spoil(&page) }
                }
            )
            let scene = MirrorScene(gateway, path)
            do {
                try await scene.run { $0.isFull = true }
                #expect(try scene.characters() == crowd(350))
                #expect(number != nil || fault == .half)
            } catch let error as MirrorError {
                #expect(error.code == .incomplete)
                #expect(error.message.contains("is as it was"))
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
                // The beginning that is left is not taken for a whole one.
                try await MirrorScene(ListGateway(crowd(350)), path).run()
                #expect(try scene.characters() == crowd(350))
            }
        }
    }

    @Test func aGatewayThatClaimsTooMuchIsCopiedIfThatIsWanted() async throws {
        try await withTemporaryFolder { folder in
            let gateway = ListGateway(crowd(350), onPage: { _, page in page.total = 360 })
            let scene = MirrorScene(gateway, folder.file("marvel.catalog"))
            let error = await #expect(throws: MirrorError.self) { try await scene.run() }
            #expect(error?.code == .incomplete)
            #expect(error?.message.contains("it has 360 characters, and sent 350") == true)
            try await scene.run { $0.acceptsFewer = true }
            #expect(try scene.characters() == crowd(350))
            #expect(try folder.names == ["marvel.catalog"])
        }
    }

    @Test func aRefreshFindsWhatAnOlderCopyHasMissed() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("marvel.catalog")
            let origin = CatalogOrigin(
                name: MirrorScene.address,
                attribution: "",
                readAt: Timestamp(seconds: 1_780_000_000)
            )
            var older = crowd(250)
            older.remove(at: 7)
            try makeCatalog(path, older, origins: [origin])
            let scene = MirrorScene(ListGateway(crowd(250)), path)
            try await scene.run()
            #expect(try scene.characters() == crowd(250))
        }
    }

    /// Whatever another program writes into an unfinished file: it is refused, and no number in it overflows.
    @Test(arguments: [
        "UPDATE progress SET value = replace(value, '\"stored\":100', '\"stored\":9223372036854775807')",
        "UPDATE progress SET value = replace(value, '\"answers\":1', '\"answers\":-9223372036854775808')",
        "UPDATE progress SET value = replace(value, '\"offset\":95', '\"offset\":9223372036854775807')",
        "UPDATE progress SET value = replace(value, '\"startedAt\":1790000040', '\"startedAt\":-9223372036854775808')",
        "UPDATE progress SET value = 'x'",
        "DROP TABLE progress; CREATE TABLE progress (name, value); INSERT INTO progress VALUES ('mirror', NULL)",
        "DROP TABLE progress", "DROP TABLE characters",
        "DROP TABLE characters; CREATE TABLE characters (id PRIMARY KEY, name, message); "
            + "INSERT INTO characters VALUES (101, NULL, NULL), (102, 7, 'x'), ('x', 'y', 'z')",
    ])
    func anOddBeginningIsRefused(_ sql: String) async throws {
        try await withTemporaryFolder { folder in
            let scene = MirrorScene(ListGateway(crowd(250)), folder.file("marvel.catalog"))
            await #expect(throws: MirrorError.self) {
                try await scene.run(report: { [stop = scene.stop] event in
                    if case .answered = event { stop.request() }
                })
            }
            let database = try DatabaseQueue(path: folder.file("marvel.catalog.partial"))
            try await database.write { db in try db.execute(sql: sql) }
            try database.close()
            let again = MirrorScene(scene.gateway, scene.path)
            await #expect(throws: (any Error).self) { try await again.run() }
            #expect(try folder.names == ["marvel.catalog.partial"])
        }
    }

    @Test(arguments: [Int64.min, .max])
    func anOddDateInAFinishedFileIsNone(_ seconds: Int64) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("marvel.catalog")
            let origin = CatalogOrigin(name: MirrorScene.address, attribution: "", readAt: Timestamp(seconds: seconds))
            try makeCatalog(path, crowd(20), origins: [origin])
            let scene = MirrorScene(ListGateway(crowd(20)), path)
            try await scene.run()
            #expect(try scene.characters() == crowd(20))
        }
    }

    @Test(arguments: ["29000000=9223372036854775807 28999999=9223372036854775807", "-9223372036854775808=5", "7=-1"])
    func oddCallsAreNotCounted(_ text: String) {
        let calls = MirrorCalls(text)
        #expect(calls.text.isEmpty)
        #expect(calls.budget(callsPerDay: 5, at: MirrorScene.start).used == 0)
    }
}
