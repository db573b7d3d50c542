import MarvelDomain
import NIOCore
import RPCCore

@testable import WireMessages

/// A value that a generator can make up, every field of it, often enough with the values at its edges.
protocol Arbitrary: Sendable, Equatable {
    init(from random: inout SplitMix64)
}

extension SplitMix64 {
    mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &self) == 0 }

    mutating func text() -> String {
        let alphabet = ["a", "Z", " ", "é", "e\u{301}", "에", "𐍈", "👩‍🚀", "\n", "\u{7F}", "\u{FFFF}"]
        if chance(4) { return "" }
        return (0..<Int.random(in: 1...40, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "" }
            .joined()
    }

    mutating func integer<Number: FixedWidthInteger>() -> Number {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: .zero
        case 1: .min
        case 2: .max
        case 3: Number(truncatingIfNeeded: -1)
        case 4: Number(truncatingIfNeeded: Int.random(in: 1...300, using: &self))
        default: Number.random(in: .min ... .max, using: &self)
        }
    }

    mutating func several<Value: Arbitrary>(_ maximum: Int = 4) -> [Value] {
        (0..<Int.random(in: 0...maximum, using: &self)).map { _ in Value(from: &self) }
    }

    mutating func perhaps<Value: Arbitrary>() -> Value? { chance(3) ? nil : Value(from: &self) }

    mutating func payload() -> ByteBuffer {
        let count = chance(4) ? 0 : Int.random(in: 1...300, using: &self)
        return ByteBuffer(bytes: (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) })
    }
}

extension String: Arbitrary {
    init(from random: inout SplitMix64) { self = random.text() }
}

extension Duration: Arbitrary {
    init(from random: inout SplitMix64) {
        let seconds: Int32 = random.integer()
        let nanoseconds = Int64.random(in: 0..<1_000_000_000, using: &random)
        self = .seconds(Int64(seconds)) + .nanoseconds(seconds < 0 ? -nanoseconds : nanoseconds)
    }
}

extension Timestamp: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(seconds: random.integer(), nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &random))
    }
}

extension Thumbnail: Arbitrary {
    init(from random: inout SplitMix64) { self.init(path: random.text(), fileExtension: random.text()) }
}

extension CharacterURL: Arbitrary {
    init(from random: inout SplitMix64) { self.init(type: random.text(), url: random.text()) }
}

extension MarvelCharacter: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            id: random.integer(),
            name: random.text(),
            description: random.text(),
            modified: random.perhaps(),
            thumbnail: random.perhaps(),
            comicCount: random.integer(),
            seriesCount: random.integer(),
            storyCount: random.integer(),
            eventCount: random.integer(),
            urls: random.several()
        )
    }
}

extension Favorite: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(character: MarvelCharacter(from: &random), savedAt: Timestamp(from: &random))
    }
}

extension Freshness: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(source: Source(rawValue: random.integer()), age: Duration(from: &random), isStale: random.chance(2))
    }
}
