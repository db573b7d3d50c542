import Foundation
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The JSON of messages, as proto3 maps it.
struct JSONTests {
    private func text(_ message: some WireMessage) throws -> String { String(buffer: try message.json()) }

    private func read<Message: WireMessage>(_: Message.Type, _ json: String) throws(WireError) -> Message {
        try read(json)
    }

    private func read<Message: WireMessage>(_ json: String) throws(WireError) -> Message {
        guard let translator = JSONTranslator(Message.fullName) else { preconditionFailure("no JSON") }
        return try Message(decoding: translator.encoding(of: ByteBuffer(string: json)), limit: .response)
    }

    private func problem<Message: WireMessage>(_: Message.Type, _ json: String) -> JSONError? {
        do throws(WireError) {
            let message: Message = try read(json)
            Issue.record("\(json) was read as \(message)")
        } catch {
            if case .json(let error) = error { return error }
            Issue.record("\(json): \(error)")
        }
        return nil
    }

    @Test func aRequestIsWrittenAndRead() throws {
        let request = ToggleFavoriteRequest(list: "l", characterID: .max, requestID: "\"é\"\n", desired: .removed)
        let json =
            #"{"list":"l","characterId":"9223372036854775807","requestId":"\"é\"\n","desired":"DESIRED_REMOVED"}"#
        #expect(try text(request) == json)
        #expect(try read(json) == request)
        #expect(try text(ToggleFavoriteRequest()) == "{}")
        #expect(try read(" { } \n") == ToggleFavoriteRequest())
    }

    @Test func aPageIsWrittenAndRead() throws {
        let page = SearchCharactersResponse(
            characters: [
                MarvelCharacter(
                    id: 1,
                    name: "A",
                    modified: Timestamp(seconds: -1, nanoseconds: 500_000_000),
                    thumbnail: Thumbnail(path: "p", fileExtension: "png")
                )
            ],
            total: -3,
            favoriteIDs: [1, -2],
            freshness: Freshness(source: Freshness.Source(rawValue: 99), age: .milliseconds(-1_500))
        )
        #expect(
            try text(page) == """
                {"characters":[{"id":"1","name":"A","modified":"1969-12-31T23:59:59.500Z",\
                "thumbnail":{"path":"p","fileExtension":"png"}}],"total":-3,"favoriteIds":["1","-2"],\
                "freshness":{"source":99,"age":"-1.500s"}}
                """
        )
        #expect(try read(text(page)) == page)
    }

    /// An empty message of a oneof is set.
    @Test func theFieldOfAOneofIsWrittenThoughItIsEmpty() throws {
        let message = WatchFavoritesResponse(.progress(revision: 0))
        #expect(try text(message) == #"{"progress":{}}"#)
        #expect(try read(#"{"progress":{}}"#) == message)
    }

    @Test func bytesAreReadInEveryAlphabet() throws {
        let picture = PictureUpload(data: ByteBuffer(bytes: [0xFB, 0xEF, 0xFF, 1]))
        #expect(try text(picture) == #"{"data":"++//AQ=="}"#)
        for base64 in ["++//AQ==", "--__AQ==", "++//AQ", "--__AQ"] {
            #expect(try read(#"{"data":"\#(base64)"}"#) == picture)
        }
        for base64 in ["+", "++//AQ=", "++//AQ===", "++//A Q=", "++//AQ==AQ==", "é"] {
            #expect(problem(PictureUpload.self, #"{"data":"\#(base64)"}"#)?.field == "data", "\(base64)")
        }
    }

    @Test func aMaskIsOneText() throws {
        let request = UpdateCharacterRequest(updateMask: ["name", "comic_count", "*"])
        #expect(try text(request) == #"{"updateMask":"name,comicCount,*"}"#)
        #expect(try read(#"{"updateMask":"name,comicCount,*"}"#) == request)
        #expect(try read(#"{"update_mask":""}"#) == UpdateCharacterRequest(updateMask: []))
        for mask in ["comic_count", ",", "name,", ",name", "name,,urls"] {
            #expect(problem(UpdateCharacterRequest.self, #"{"updateMask":"\#(mask)"}"#)?.field == "updateMask")
        }
        for path in ["", "comicCount", "a__b", "a,b", "a_", "a_1"] {
            #expect(throws: JSONError(.outOfRange, field: "updateMask")) {
                try UpdateCharacterRequest(updateMask: [path]).json()
            }
        }
    }

    @Test(arguments: [
        (#"{"page_size":5}"#, 5), (#"{"pageSize":"5"}"#, 5), (#"{"pageSize":5.0}"#, 5), (#"{"pageSize":50e-1}"#, 5),
        (#"{"pageSize":"0.5E1"}"#, 5), (#"{"pageSize":-2147483648}"#, .min), (#"{"pageSize":0e999999999999999999}"#, 0),
        (#"{"pageSize":null}"#, 0), (#"{"pageSize":-0}"#, 0), (#"{"pageSize":2147483647.000}"#, .max),
        (#"{"pageSize":0.00000000000000000000000001e26}"#, 1),
    ])
    func anIntegerIsReadInEveryForm(_ json: String, _ value: Int32) throws {
        #expect(try read(SearchCharactersRequest.self, json).pageSize == value)
    }

    @Test(arguments: [
        "2147483648", "-2147483649", "1e10", "1e999999999999999999", "99999999999999999999999999999999",
        "\"4294967296\"",
    ])
    func anIntegerThatDoesNotFitIsRefused(_ number: String) {
        let error = problem(SearchCharactersRequest.self, #"{"pageSize":\#(number)}"#)
        #expect(error == JSONError(.outOfRange, field: "pageSize"))
    }

    @Test(arguments: [
        "0.5", "1e-1", "\"\"", "\" 5\"", "\"5 5\"", "\"0x5\"", "true", "{}", "[]", "\"01\"",
    ])
    func anInvalidIntegerIsRefused(_ value: String) {
        let error = problem(SearchCharactersRequest.self, #"{"pageSize":\#(value)}"#)
        #expect(error == JSONError(.wrongType(expected: "an integer"), field: "pageSize"))
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0), ("1970-01-01T01:30:00.5+01:30", 0, 500_000_000),
        ("1969-12-31T23:59:59.999999999Z", -1, 999_999_999), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
        ("9999-12-31T23:59:59.9Z", 253_402_300_799, 900_000_000), ("1970-01-01T00:00:00-00:01", 60, 0),
    ])
    func aTimeIsReadInEveryForm(_ time: String, _ seconds: Int64, _ nanoseconds: Int32) throws {
        let character = try read(GetCharacterResponse.self, #"{"character":{"modified":"\#(time)"}}"#).character
        #expect(character?.modified == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z",
        "1970-01-01T00:00:60Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.0000000001Z", "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z", "1970-01-01T00:00:00+24:00",
        "1970-01-01T00:00:00Zz",
    ])
    func anInvalidTimeIsRefused(_ time: String) {
        let error = problem(GetCharacterResponse.self, #"{"character":{"modified":"\#(time)"}}"#)
        #expect(error?.field == "character.modified")
    }

    @Test(
        arguments: [
            ("0s", .zero), ("1.5s", .milliseconds(1_500)), ("-0.000000001s", .nanoseconds(-1)),
            ("315576000000s", .seconds(315_576_000_000)),
        ] as [(String, Duration)]
    )
    func aDurationIsReadInEveryForm(_ text: String, _ duration: Duration) throws {
        #expect(try read(GetCharacterResponse.self, #"{"freshness":{"age":"\#(text)"}}"#).freshness.age == duration)
    }

    @Test(arguments: ["", "s", "1", "1.s", ".5s", "1.0000000001s", "315576000001s", "1e3s", "+1s", "--1s", "1s "])
    func anInvalidDurationIsRefused(_ text: String) {
        let error = problem(GetCharacterResponse.self, #"{"freshness":{"age":"\#(text)"}}"#)
        #expect(error?.field == "freshness.age")
    }

    @Test func messagesWithoutJSONAreRefused() {
        let character = MarvelCharacter(id: 1, name: "", modified: Timestamp(seconds: .max))
        #expect(throws: JSONError(.outOfRange, field: "character.modified")) {
            try GetCharacterResponse(character: character).json()
        }
    }

    @Test(
        arguments: [
            (#"{"nope":1}"#, .unknownField, "nope"), (#"{"list":1}"#, .wrongType(expected: "a string"), "list"),
            (#"{"list":"a","list":"b"}"#, .duplicate, "list"),
            (#"{"characterId":1,"character_id":1}"#, .duplicate, "character_id"),
            (#"{"desired":"NO"}"#, .unknownEnumValue, "desired"),
            (#"{"desired":true}"#, .wrongType(expected: "the name or number of an enum value"), "desired"),
            (#"{"list":"\ud800"}"#, .invalidText, "list"), (#"{"list":"\udc00a"}"#, .invalidText, "list"),
            (#"{"list":"\ud800\u0061"}"#, .invalidText, "list"),
            (#"[]"#, .wrongType(expected: "an object"), ""), (#"null"#, .wrongType(expected: "an object"), ""),
            (#"{"list":"a"} x"#, .syntax(offset: 13), ""), (#"{"list":"a",}"#, .syntax(offset: 12), ""),
            (#"{"list":"a""#, .syntax(offset: 11), ""), ("", .syntax(offset: 0), ""),
            (#"{list:1}"#, .syntax(offset: 1), ""),
            (#"{"list":"\x"}"#, .syntax(offset: 10), "list"), ("{\"list\":\"\n\"}", .syntax(offset: 9), "list"),
            (#"{"characterId":01}"#, .syntax(offset: 16), ""),
            (#"{"characterId":1.}"#, .syntax(offset: 17), "characterId"),
            (#"{"list":nul}"#, .syntax(offset: 8), "list"),
        ] as [(String, JSONError.Problem, String)]
    )
    func errorsNameTheExactProblem(_ json: String, _ expected: JSONError.Problem, _ field: String) {
        #expect(problem(ToggleFavoriteRequest.self, json) == JSONError(expected, field: field), "\(json)")
    }

    @Test func theMessagesOwnRulesHold() {
        #expect(throws: WireError.invalidText(field: "list")) {
            try read(ToggleFavoriteRequest.self, #"{"list":"a\u0000"}"#)
        }
    }

    @Test func aLongNameThatIsNotAFieldIsShortenedInTheError() {
        let json = "{\"\(String(repeating: "a", count: 1_000_000))\":1}"
        #expect(problem(ToggleFavoriteRequest.self, json)?.field == String(repeating: "a", count: 64))
    }

    @Test func aClientLearnsWhichFieldIsWrong() throws {
        let error = try #require(problem(ToggleFavoriteRequest.self, #"{"characterId":"x"}"#))
        let status = RPCError(undecodable: .json(error))
        #expect((status.code, status.reason) == (.invalidArgument, .valueInvalid))
        #expect(status.message == "characterId is not an integer")
        #expect(RPCError(undecodable: .json(JSONError(.syntax(offset: 3)))).reason == .requestMalformed)
    }

    @Test func aPathLeadsToTheField() {
        let json = #"{"favorites":[{"character":{"id":1},"savedAt":"1970-01-01T00:00:00Z"},{"character":{"id":{}}}]}"#
        #expect(problem(ListFavoritesResponse.self, json)?.field == "favorites[1].character.id")
        #expect(problem(ListFavoritesResponse.self, #"{"favorites":[null]}"#)?.field == "favorites[0]")
        #expect(problem(ListFavoritesResponse.self, #"{"favorites":{}}"#)?.field == "favorites")
        #expect(problem(WatchFavoritesResponse.self, #"{"progress":{},"changed":{}}"#)?.field == "changed")
    }

    /// Fields come in any order, and more than once: parts of a message are merged, and the last one of a oneof counts.
    @Test func anyEncodingIsWritten() throws {
        func json(_ bytes: [UInt8], _ name: String) throws -> String {
            let message = try #require(JSONMessage.all[name])
            return String(buffer: try JSONEncoding.json(of: ByteBuffer(bytes: bytes), as: message))
        }
        let twice: [UInt8] = [
            0x10, 0, 0x0A, 2, 0x08, 1, 0x0A, 3, 0x12, 1, 0x41, 0x10, 1, 0xFA, 1, 0,
        ]
        let merged = #"{"character":{"id":"1","name":"A"},"isFavorite":true}"#
        #expect(try json(twice, "marvel.v1.GetCharacterResponse") == merged)
        let events: [UInt8] = [0x0A, 0, 0x1A, 2, 0x08, 3]
        #expect(try json(events, "marvel.v1.WatchFavoritesResponse") == #"{"progress":{"revision":"3"}}"#)
        for bytes: [UInt8] in [[0x0A], [0x0A, 2, 0x08], [0x0B], [0x00], [0x0A, 1, 0xFF], [0x08, 1]] {
            #expect(throws: JSONError.self) { try json(bytes, "marvel.v1.ToggleFavoriteRequest") }
        }
    }

    private static let change = """
        {"changed":{"revision":"7","saved":{"character":{"id":"1","name":"\\u00e9\\ud83d\\ude00","urls":[{"type":"wiki"}]},\
        "savedAt":"2026-01-31T09:05:00.5Z"},"deleted":true,"cleared":[]},"place":"p"}
        """

    @Test(arguments: 1...200)
    func anyBytesAreReadOrRefused(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array(JSONTests.change.utf8)
        for _ in 0..<40 {
            let index = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes = Array(bytes.prefix(index))
            case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: min(index, bytes.count))
            case 2 where !bytes.isEmpty: bytes.remove(at: index)
            default:
                let pieces = ["{", "}", "[", "]", ",", ":", "\"", "\\u", "null", "1e9", "{\"snapshot\":", "\\ud83d"]
                bytes.insert(
                    contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8),
                    at: min(index, bytes.count)
                )
            }
            let translator = try #require(JSONTranslator(WatchFavoritesResponse.fullName))
            _ = try? WatchFavoritesResponse(
                decoding: translator.encoding(of: ByteBuffer(bytes: bytes)),
                limit: .request
            )
        }
    }
}
