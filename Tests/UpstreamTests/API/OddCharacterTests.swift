import MarvelDomain
import Testing
import Upstream

/// One odd character never fails the page around it.
struct OddCharacterTests {
    private func one(_ fields: String) async throws -> MarvelCharacter {
        let body = page(#"{"id":1,"name":"before"}"#, #"{"id":2,"name":"odd",\#(fields)}"#, #"{"id":3,"name":"after"}"#)
        let results = try await reading(body)
        #expect(results.characters.map(\.id) == [1, 2, 3])
        return try #require(results.characters.dropFirst().first)
    }

    @Test(arguments: [
        #""description":null,"modified":null,"thumbnail":null,"comics":null,"series":null,"urls":null"#,
        #""description":5,"modified":5,"thumbnail":5,"comics":5,"series":[],"stories":"x","events":true,"urls":{}"#,
        #""description":{},"thumbnail":{},"comics":{},"stories":{"available":null},"urls":[null,5,{},{"type":"wiki"}]"#,
        #""thumbnail":{"path":null,"extension":"jpg"},"comics":{"available":-3},"urls":[{"url":null}]"#,
        #""extra":[{"deep":[1,2,3]}],"MODIFIED":"x""#,
        #""description":"\ud800","modified":"\ud800","thumbnail":{"path":"\ud800","extension":"jpg"}"#,
    ])
    func fieldsThatCannotBeReadAreEmpty(fields: String) async throws {
        #expect(try await one(fields) == MarvelCharacter(id: 2, name: "odd"))
    }

    @Test(arguments: [
        "null", "{}", #"{"id":2}"#, #"{"name":"x"}"#, #"{"id":0,"name":"x"}"#, #"{"id":-7,"name":"x"}"#,
        #"{"id":1.5,"name":"x"}"#, #"{"id":99999999999999999999,"name":"x"}"#, #"{"id":2,"name":null}"#,
        #"{"id":2,"name":" \t "}"#, #"{"id":"two","name":"x"}"#, "2", #""Sample""#, "[]", "true",
    ])
    func anEntryWithoutIdOrNameIsLeftOutAndCounted(entry: String) async throws {
        let results = try await reading(page(#"{"id":1,"name":"a"}"#, entry, #"{"id":3,"name":"c"}"#))
        #expect(results.characters.map(\.id) == [1, 3])
        #expect(results.receivedCount == 3)
    }

    @Test(arguments: [("2", Int64(2)), ("2.0", 2), (#""2""#, 2), ("9223372036854775807", .max)])
    func anIdMayBeWrittenInSeveralWays(written: String, id: Int64) async throws {
        #expect(try await reading(page(#"{"id":\#(written),"name":"a"}"#)).characters.map(\.id) == [id])
    }

    @Test(arguments: [
        (#"  Leading and trailing "#, "  Leading and trailing "), (#"\"Quoted\" #1: A/B"#, "\"Quoted\" #1: A/B"),
        ("Ángel & Ñandú &amp;", "Ángel & Ñandú &amp;"), (#"Two\r\nlines\tand tab"#, "Two  lines and tab"),
        (#"A\u0000B\u001b[31mC\u0085"#, "AB[31mC "),
    ])
    func aNameStaysAsItIsOnOneLine(written: String, name: String) async throws {
        #expect(try await reading(page(#"{"id":1,"name":"\#(written)"}"#)).characters.map(\.name) == [name])
    }

    /// Nothing is taken out of a name that only some scripts need: joiners, marks, directions, variants.
    @Test(arguments: [
        "스파이더맨 (피터 파커)", "الرجل العنكبوت\u{200F}", "אִישׁ הָעַכָּבִישׁ", "स्पाइडर-मैन क्\u{200D}ष", "สไปเดอร์แมน กำ้",
        "スパイダーマン／ｽﾊﾟｲﾀﾞｰ", "蜘蛛侠 𠮷", "Ωμέγα ᾼ", "Человек-паук Ё", "Զինվոր", "Ḧü̱l̃k̊ e\u{301}e\u{301}", "ÅÅ ﬁ ß İı",
        "🕷️👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽", "ⴰⵎⴰⵣⵉⵖ \u{2068}x\u{2069}", "မြန်မာ ཨོཾ", "ᎠᏂᏴᏫᏯ 𐌰𐌱",
    ])
    func aNameInAnyScriptArrivesUnchanged(name: String) async throws {
        let body = page(#"{"id":1,"name":"\#(name)","description":"\#(name)"}"#)
        let escaped = name.utf16.reduce(into: "") { text, unit in
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        for body in [body, page(#"{"id":1,"name":"\#(escaped)","description":"\#(escaped)"}"#)] {
            let character = try #require(try await reading(body).characters.first)
            #expect(Array(character.name.unicodeScalars) == Array(name.unicodeScalars))
            #expect(Array(character.description.unicodeScalars) == Array(name.unicodeScalars))
        }
    }

    @Test(arguments: [
        ("2014-04-29T14:18:17-0400", Int64(1_398_795_497)), ("2014-04-29T18:18:17Z", 1_398_795_497),
        ("2014-04-29T20:18:17+02:00", 1_398_795_497), ("2000-02-29T00:00:00+0000", 951_782_400),
        ("0001-01-01T00:00:00+0000", -62_135_596_800), ("9999-12-31T23:59:59+0000", 253_402_300_799),
        ("1969-12-31T18:59:59-0500", -1),
    ])
    func aDateIsReadWithItsOffset(text: String, seconds: Int64) async throws {
        #expect(try await one(#""modified":"\#(text)""#).modified == Timestamp(seconds: seconds))
    }

    @Test(arguments: [
        "-0001-11-30T00:00:00-0500", "1969-12-31T19:00:00-0500", "1970-01-01T00:00:00+0000", "", "yesterday",
        "2014-04-29", "2014-04-29T14:18:17", "2014-13-01T00:00:00-0400", "2014-02-30T00:00:00-0400",
        "2014-04-29T24:00:00-0400", "0000-00-00T00:00:00-0400", "2014-04-29T14:18:17-04", "2014-04-29T14:18:17 0400",
        "２０１４-04-29T14:18:17-0400", "1900-02-29T00:00:00+0000",
    ])
    func anInvalidDateIsUnknown(text: String) async throws {
        #expect(try await one(#""modified":"\#(text)""#).modified == nil)
    }

    @Test(arguments: [
        ("http://i.annihil.us/u/a", "gif", "https://i.annihil.us/u/a"),
        ("http://x.marvel.com/u/a", "png", "https://x.marvel.com/u/a"),
        ("HTTP://I.Annihil.US/u/a", "jpg", "https://I.Annihil.US/u/a"),
        ("https://i.annihil.us/u/a", "jpg", "https://i.annihil.us/u/a"),
        ("http://127.0.0.1:6163/emblem/1", "png", "http://127.0.0.1:6163/emblem/1"),
        ("http://notmarvel.com/u/a", "webp", "http://notmarvel.com/u/a"),
        ("http://marvel.com.evil.example/a", "jpg", "http://marvel.com.evil.example/a"),
        ("http://gateway.marvel.com:80/a", "jpg", "http://gateway.marvel.com:80/a"),
    ])
    func onlyMarvelsPicturesAreRewrittenToHTTPS(path: String, fileExtension: String, read: String) async throws {
        let character = try await one(#""thumbnail":{"path":"\#(path)","extension":"\#(fileExtension)"}"#)
        #expect(character.thumbnail == Thumbnail(path: read, fileExtension: fileExtension))
    }

    @Test(arguments: [
        ("file:///etc/passwd", "jpg"), ("javascript:alert(1)", "jpg"), ("emblem/1", "png"), ("", "jpg"),
        ("http://i.annihil.us/a b", "jpg"), (#"http://i.annihil.us/\u0000"#, "jpg"), ("http://", "jpg"),
        ("http://user@i.annihil.us/a", "jpg"), ("http://i.annihil.us/a", ""), ("http://i.annihil.us/a", "jpg?x=y"),
        ("http://i.annihil.us/a", "../../x"),
    ])
    func aPictureThatCannotBeFetchedIsMissing(path: String, fileExtension: String) async throws {
        #expect(try await one(#""thumbnail":{"path":"\#(path)","extension":"\#(fileExtension)"}"#).thumbnail == nil)
    }

    @Test(arguments: [
        ("http://marvel.com/a?utm_campaign=apiRef&utm_source=1234", "http://marvel.com/a"),
        ("http://marvel.com/a?b=c&utm_source=1234#d", "http://marvel.com/a?b=c#d"),
        ("http://marvel.com/a?key=1234&x=1", "http://marvel.com/a?x=1"), ("http://marvel.com/a", "http://marvel.com/a"),
        ("https://example.org/?utm_campaign=other", "https://example.org/?utm_campaign=other"),
    ])
    func aLinkDoesNotCarryThePublicKeyOn(written: String, read: String) async throws {
        let character = try await one(#""urls":[{"type":"wiki","url":"\#(written)"},{"url":"javascript:x"}]"#)
        #expect(character.urls == [CharacterURL(type: "wiki", url: read)])
    }

    @Test func aListWithoutAvailableCountsWhatItReturned() async throws {
        let character = try await one(
            #""comics":{"returned":4},"stories":{"available":"12"},"events":{"available":1e12}"#
        )
        #expect(character.comicCount == 4)
        #expect(character.storyCount == 12)
        #expect(character.eventCount == .max)
    }

    /// The longest page that the original had was below one megabyte; this has 30 KB for each of 100 characters.
    @Test func aPageOfTheLargestSizeIsRead() async throws {
        let text = String(repeating: "A long story. ", count: 2_200)
        let entries = (1...100).map { #"{"id":\#($0),"name":"a","description":"\#(text)"}"# }.joined(separator: ",")
        let transport = FakeFetcher(status: 200, #"{"data":{"total":100,"results":[\#(entries)]}}"#)
        let results = try await client(transport).characters(nameStartsWith: "aa", offset: 0, limit: 100)
        #expect(results.characters.map(\.id) == Array(1...100))
        #expect(results.characters.allSatisfy { $0.description.count == text.count - 1 })
    }

    @Test(arguments: [
        (#"{"data":{"results":[]}}"#, ""), (#"{"attributionText":null,"data":{"results":[]}}"#, ""),
        (#"{"attributionHTML":"<a href=\"x\">By &copy; me</a>","data":{"results":[]}}"#, "By © me"),
        (#"{"attributionText":" ","attributionHTML":"<i>By me</i>","data":{"results":[]}}"#, "By me"),
        (#"{"attributionText":5,"attributionHTML":"By me","data":{"results":[]}}"#, "By me"),
    ])
    func attributionMayBeMissing(body: String, attribution: String) async throws {
        #expect(try await reading(body).attribution == attribution)
    }

    @Test func bytesThatAreNotTextCostOnlyTheirField() async throws {
        let body = page(#"{"id":1,"name":"a","description":"x@y"}"#).utf8.map { $0 == UInt8(ascii: "@") ? 0xFF : $0 }
        let transport = FakeFetcher(.success(HTTPResponse(status: 200, body: body)))
        let results = try await client(transport).characters(nameStartsWith: "aa", offset: 0, limit: 20)
        #expect(results.characters == [MarvelCharacter(id: 1, name: "a")])
    }
}
