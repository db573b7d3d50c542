import Foundation
import Logging
import Synchronization
import Testing

@testable import ProgramSupport

@Suite struct LineLogHandlerTests {
    private let lines = Lines()

    private func logger(
        _ level: Logger.Level = .info,
        format: LogFormat = .json,
        provider: Logger.MetadataProvider? = nil
    ) -> Logger {
        Logger(label: "test") { [lines] label in
            var handler = LineLogHandler(
                format,
                label: label,
                threshold: LogThreshold(level),
                now: { Date(timeIntervalSince1970: 1_700_000_000.25) },
                write: { lines.append($0) }
            )
            handler.metadataProvider = provider
            return handler
        }
    }

    @Test func aLineForPeopleHasTimeLevelMessageAndFacts() {
        let logger = logger(format: .text)
        logger.notice("listening", metadata: ["address": "127.0.0.1:6163", "a": "two words", "endpoint": "framed"])
        logger.error("no\nbreak\u{1B}[2J", metadata: ["empty": "", "sum": "1=1", "count": .stringConvertible(7)])
        #expect(
            lines.text == #"""
                2023-11-14T22:13:20.250Z NOTICE   listening endpoint=framed address=127.0.0.1:6163 a="two words"
                2023-11-14T22:13:20.250Z ERROR    "no\nbreak\u001b[2J" count=7 empty="" sum="1=1"

                """#
        )
    }

    @Test func aListeningLineBeginsWithMessageEndpointAndAddress() {
        logger().info(
            "listening",
            metadata: ["address": "127.0.0.1:6163", "catalog": "builtin", "endpoint": "gateway"]
        )
        #expect(
            lines.text == """
                {"message":"listening","endpoint":"gateway","address":"127.0.0.1:6163","catalog":"builtin",\
                "level":"info","logger":"test","time":"2023-11-14T22:13:20.250Z"}\n
                """
        )
    }

    @Test(arguments: [
        ("a\"b\\c", #""a\"b\\c""#), ("one\ntwo\r\t", #""one\ntwo\r\t""#), ("\u{1}\u{1F}", #""\u0001\u001f""#),
        ("\0\u{1B}[2J\u{7F}\u{9B}m", #""\u0000\u001b[2J\u007f\u009bm""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
        ("Ærø/é 🕷", #""Ærø/é 🕷""#),
    ])
    func textIsEscapedSoThatALineStaysALine(text: String, json: String) {
        logger().info("m", metadata: ["text": "\(text)"])
        #expect(lines.text.hasPrefix(#"{"message":"m","text":\#(json),"level""#))
        #expect(lines.text.filter { $0 == "\n" }.count == 1)
    }

    @Test func aLineIsJSONWithNumbersListsAndObjectsKept() throws {
        logger().info(
            "m",
            metadata: [
                "count": .stringConvertible(7), "isLate": .stringConvertible(true), "share": .stringConvertible(0.5),
                "list": ["a", .array([])], "object": ["b": "1", "a": .dictionary([:])],
            ]
        )
        #expect(
            lines.text.hasPrefix(
                #"{"message":"m","count":7,"isLate":true,"list":["a",[]],"object":{"a":{},"b":"1"},"share":0.5,"#
            )
        )
        #expect(try JSONSerialization.jsonObject(with: Data(lines.text.utf8)) is [String: Any])
    }

    @Test func aFactNamedLikeOneOfOursDoesNotReplaceIt() {
        logger().info("m", metadata: ["level": "high", "message": "other"])
        #expect(lines.text.hasPrefix(#"{"message":"m","level_":"high","message_":"other","level":"info","#))
    }

    @Test func theCallsMetadataWinsOverTheProvidersAndTheLoggers() {
        var logger = logger(provider: Logger.MetadataProvider { ["b": "provider", "c": "provider"] })
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("m", metadata: ["c": "call"])
        #expect(lines.text.hasPrefix(#"{"message":"m","a":"logger","b":"provider","c":"call","#))
    }

    @Test func eventsBelowTheLevelAreDropped() {
        logger(.warning).info("m")
        #expect(lines.text.isEmpty)
    }
}

/// The written lines, as text.
final class Lines: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
    func append(_ line: [UInt8]) { bytes.withLock { $0 += line } }
}
