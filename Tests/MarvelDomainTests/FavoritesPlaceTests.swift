import Testing

@testable import MarvelDomain

struct FavoritesPlaceTests {
    private static let history = HistoryID(-0x0123_4567_89AB_CDEF)

    @Test(arguments: [0, 1, 1 << 32, .max] as [Int64])
    func aPlaceIsReadAsItWasWritten(_ revision: Int64) throws {
        let place = FavoritesPlace(list: .default, history: Self.history, revision: revision)
        let position = try #require(FavoritesPlace(place.text).position(on: .default))
        #expect((position.history, position.revision) == (Self.history, revision))
        #expect(place.text.count == 32)
        #expect(
            place.text.utf8.allSatisfy {
                "-_".utf8.contains($0) || Character(Unicode.Scalar($0)).isLetter || (48...57).contains($0)
            }
        )
    }

    /// Clients hold places for as long as they like: the format does not change.
    @Test func thePlaceOfAKnownRevisionIsKnown() throws {
        let place = FavoritesPlace(list: .default, history: HistoryID(616), revision: 7)
        #expect(place.text.hasPrefix("AAAAAAAAAmgAAAAAAAAAB"))
        #expect(FavoritesPlace("\(place)") == place)
    }

    @Test func aPlaceOfAnotherListIsInvalid() throws {
        let other = try #require(ListName("Default"))
        let place = FavoritesPlace(list: other, history: Self.history, revision: 7)
        #expect(place.position(on: .default) == nil)
        #expect(place.position(on: other) != nil)
    }

    @Test func everyLetterCounts() {
        let text = Array(FavoritesPlace(list: .default, history: Self.history, revision: 7).text.utf8)
        for index in text.indices {
            for letter in [UInt8(ascii: "A"), UInt8(ascii: "b"), UInt8(ascii: "="), 0] where letter != text[index] {
                var other = text
                other[index] = letter
                #expect(FavoritesPlace(String(decoding: other, as: UTF8.self)).position(on: .default) == nil)
            }
            #expect(FavoritesPlace(String(decoding: text[..<index], as: UTF8.self)).position(on: .default) == nil)
        }
    }
}
