import Foundation
import Glibc
import MarvelClient
import MarvelDomain
import TrialChecks

/// One bit of a favorite that is on a list, of its text or of the numbers before it, is flipped in the file while no server runs. The server that starts then
/// refuses that list by its name, and serves the others as they were. Then the bit is flipped back.
struct FlippedBit: Fault {
    private let stage: ServerStage
    private var random: SplitMix64
    private var names: [ListName] = []
    private var cycleCount = 0
    private var flippedCount = 0

    init(stage: ServerStage, random: SplitMix64) {
        self.stage = stage
        self.random = random
    }

    var summary: String? { "\(flippedCount) flipped bits refused in \(cycleCount) cycles" }

    mutating func strike(after delay: Duration, _ signs: Signs) async throws {
        names = signs.lists
        try await Task.sleep(for: delay)
        try await stage.kill()
    }

    mutating func recover() async throws {
        cycleCount += 1
        try await stage.start()
        let lists = try await stage.read(names)
        // It copies its log into the file.
        try await stage.stop()
        let path = stage.store
        guard let flip = try choose(from: lists, in: path) else { return try await stage.start() }
        try flip.apply(to: path)
        try await stage.start()
        try await stage.withClient { try await check(flip, lists, over: $0) }
        try await stage.stop()
        try flip.apply(to: path)
        try await stage.start()
        flippedCount += 1
    }

    func confirm(_ changes: [[FavoritesChange]]) throws {
        // A list may be empty, or a favorite not be found, but not each time.
        guard flippedCount > 0 || cycleCount < 3 else { throw RunError("no favorite was found in the file") }
    }

    /// The same bit at each place where the values of a favorite are: some of them may be left of an earlier row.
    private struct Flip {
        let list: ListName
        let characterID: Int64
        let places: [Int]
        let bit: UInt8

        /// Flips the bit, or flips it back.
        func apply(to path: String) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            for place in places {
                try file.seek(toOffset: UInt64(place))
                guard let byte = try file.read(upToCount: 1)?.first else { throw RunError("\(path) is too short") }
                try file.seek(toOffset: UInt64(place))
                try file.write(contentsOf: [byte ^ bit])
            }
            try file.synchronize()
            try file.close()
        }
    }

    private mutating func choose(from lists: [ListName: FavoritesList], in path: String) throws -> Flip? {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let favorites = lists.sorted { $0.key.text < $1.key.text }
            .flatMap { list, contents in contents.favorites.map { (list, $0) } }
        for (list, favorite) in favorites.shuffled(using: &random) {
            let places = StoredFavorite.places(of: favorite, on: list, in: file)
            guard let length = places.map(\.count).min() else { continue }
            let offset = Int.random(in: 1...length, using: &random)
            return Flip(
                list: list,
                characterID: favorite.character.id,
                places: places.map { $0.upperBound - offset },
                bit: 1 << UInt8.random(in: 0...7, using: &random)
            )
        }
        return nil
    }

    private func check(
        _ flip: Flip,
        _ lists: [ListName: FavoritesList],
        over client: MarvelClient
    ) async throws {
        for (list, contents) in lists where list != flip.list {
            guard try await client.favorites(list: list).list == contents else {
                throw RunError("list \(list) has changed, and \(flip.list) was damaged")
            }
        }
        try await expectRefusal(of: flip.list) { try await client.favorites(list: flip.list) }
        try await expectRefusal(of: flip.list) {
            try await client.toggleFavorite(flip.characterID, desired: .removed, list: flip.list)
        }
        if let other = lists[flip.list]?.favorites.map(\.character.id).first(where: { $0 != flip.characterID }) {
            try await expectRefusal(of: flip.list) {
                try await client.toggleFavorite(other, desired: .removed, list: flip.list)
            }
        }
        if let other = lists.values.flatMap(\.favorites).map(\.character.id).first(where: { id in
            lists[flip.list]?.favorites.contains { $0.character.id == id } == false
        }) {
            try await expectRefusal(of: flip.list) {
                try await client.toggleFavorite(other, desired: .saved, list: flip.list)
            }
        }
    }

    private func expectRefusal(of list: ListName, _ call: () async throws -> some Any) async throws {
        do {
            let answer = try await call()
            throw RunError("list \(list) is damaged, but was answered with \(answer)")
        } catch let error as RPCError {
            guard error.reason == .storeUnreadable, error.message.contains("list \(list) is damaged") else {
                throw RunError("list \(list) is damaged, and was refused with \(error)")
            }
        }
    }
}
