import Framing
import HTTPFraming
import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Requests of HTTP/1.1 that begin no call, want another protocol, or have another form than most clients give them.
@Suite(.timeLimit(.minutes(10)))
struct HTTP1RequestTests {
    private static let head =
        "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"

    // MARK: Refused requests

    /// The end of a short request is waited for, but not for ever.
    @Test(arguments: [
        ("POST /a/b HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n", 415),
        ("POST /a/b HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/proto\r\n", 403),
        ("POST /a/b HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\nContent-Type: application/json\r\n", 403),
        ("DELETE /a/b HTTP/1.1\r\nHost: localhost\r\n", 404), ("OPTIONS /a/b HTTP/1.1\r\nHost: localhost\r\n", 204),
        ("POST /a/b HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/grpc\r\n", 505),
        ("POST /test.v1.Test/Nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n", 404),
    ])
    func aRefusedRequestThatDoesNotEndIsAnswered(_ head: String, _ status: Int) async throws {
        try await HTTP1Peer.run(.with { $0.frameTimeout = .milliseconds(400) }) { server, peer in
            try await peer.send("\(head)Content-Length: 1\r\n\r\n")
            let answer = try #require(try await peer.answer())
            #expect((answer.status, answer.headers["connection"]) == (status, "close"))
            #expect(await peer.isClosed())
            #expect(server.count(of: .frameTimeout) == 1)
        }
    }

    // MARK: The form of a request

    /// A page of another server may have pointed its own name to this machine.
    @Test(arguments: [
        ("Host: localhost\r\nHost: localhost\r\n", 400), ("", 400), ("Host: \r\n", 200), ("Host: a@b\r\n", 400),
        ("Host: a b\r\n", 400), ("Host: a/b\r\n", 400), ("Host: localhost:80x\r\n", 400), ("Host: [::1\r\n", 400),
        ("Host: [::1]:\r\n", 200), ("Host: localhost:\r\n", 200), ("Host: localhost\r\n", 200),
        ("Host: 127.0.0.1:6161\r\n", 200), ("Host: [::1]:6161\r\n", 200), ("Host: evil.example\r\n", 403),
    ])
    func aRequestNamesItsHostOnce(_ headers: String, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            let head = "POST /test.v1.Test/Echo HTTP/1.1\r\nContent-Type: application/proto\r\n"
            try await peer.send("\(head)\(headers)Content-Length: 1\r\n\r\n7")
            #expect(try await peer.answer()?.status == status)
        }
    }

    /// More marks take quadratic time to compare.
    @Test(arguments: [(30, 200), (31, 400)])
    func aHeaderHasAtMostThirtyCombiningMarksInARow(_ count: Int, _ status: Int) async throws {
        let marks = "e" + String(repeating: "\u{301}", count: count)
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(Self.head)X-City: \(marks)\r\nContent-Length: 1\r\n\r\n7")
            #expect(try await peer.answer()?.status == status)
        }
    }

    @Test func aTargetIsASCII() async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("GET /\u{E9} HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await peer.answer()?.status == 400)
        }
    }

    @Test(arguments: [
        ("http://localhost/test.v1.Test/Echo", 200), ("HTTP://127.0.0.1:6161/test.v1.Test/Echo?a=b", 200),
        ("http://evil.example/test.v1.Test/Echo", 403), ("http://localhost", 404),
        ("http://a@localhost/test.v1.Test/Echo", 400), ("ftp://localhost/test.v1.Test/Echo", 404),
    ])
    func aTargetMayBeAWholeAddress(_ target: String, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send(
                "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                    + "Content-Length: 1\r\n\r\n7"
            )
            #expect(try await peer.answer()?.status == status)
        }
    }

    @Test func anAnswerHasItsDate() async throws {
        try await HTTP1Peer.run { server, peer in
            let date = try #require(try await peer.call("Echo", [1])?.headers["date"])
            #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} 20\d{2} \d{2}:\d{2}:\d{2} GMT/) != nil)
        }
    }

    /// A method that nobody knows, and bytes that are no method. They may arrive one by one.
    @Test(arguments: [
        ("BREW / HTTP/1.1\r\n", 501), ("GETX / HTTP/1.1\r\n", 501), ("\r\nbrew /pot HTTP/1.1\r\n", 501),
        ("\u{16}\u{3}\u{1}", 400), ("\u{1}\u{0}\u{0}\u{9}", 400), ("G@T / HTTP/1.1\r\n", 400),
    ])
    func anUnknownMethodIsNotImplemented(_ text: String, _ status: Int) async throws {
        for isWhole in [true, false] {
            try await HTTP1Peer.run { server, peer in
                if isWhole {
                    try await peer.send(text)
                } else {
                    for byte in text.utf8 { try? await peer.send([byte]) }
                }
                #expect(try await peer.answer()?.status == status)
                #expect(await peer.isClosed())
                #expect(server.count(of: .malformedRequest) == 1)
            }
        }
    }

    /// RFC 9112, section 6.1.
    @Test(arguments: [("gzip, chunked", 501), ("xchunked", 501), ("chunked", 200), ("Chunked", 200)])
    func theOnlyTransferCodingIsChunked(_ coding: String, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(Self.head)Transfer-Encoding: \(coding)\r\n\r\n1\r\n7\r\n0\r\n\r\n")
            #expect(try await peer.answer()?.status == status)
            if status == 501 { #expect(await peer.isClosed()) }
        }
    }

    /// RFC 9110, section 10.1.1: the client has not sent the body, and is told not to.
    @Test(arguments: [
        ("application/proto", 200_000, 100), ("application/proto", 200_001, 413),
        ("application/connect+proto", 200_005, 100), ("application/connect+proto", 200_006, 413),
    ])
    func aBodyThatWouldBeTooLargeIsRefusedBeforeItIsSent(_ type: String, _ length: Int, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send(
                "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                    + "Expect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
            )
            let answer = try #require(try await peer.answer())
            #expect(answer.status == status)
            guard status == 413 else { return }
            #expect(answer.headers["connection"] == "close")
            #expect(answer.text.hasPrefix(#"{"code":"resource_exhausted""#))
            #expect(await peer.isClosed())
        }
    }

    // MARK: HTTP/1.0

    /// RFC 9110, section 10.1.1, and RFC 9112, section 6.1.
    @Test func aClientOfHTTP10GetsNeither100NorChunks() async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send(
                "POST /test.v1.Test/Count HTTP/1.0\r\nContent-Type: application/connect+proto\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"
            )
            try await peer.send([0, 0, 0, 0, 6, 0, 2, 0, 0, 0, 8])
            let answer = try #require(try await peer.answer())
            #expect((answer.status, answer.headers["transfer-encoding"]) == (200, nil))
            #expect(answer.body.count == 2 * 13 + 7)
            #expect(answer.body.suffix(2) == Array("{}".utf8))
            #expect(await peer.isClosed())
        }
    }

    @Test(arguments: [("GET / HTTP/2.0\r\n", 505), ("GET / HTTP/1.1\n", 400)])
    func anotherVersionIsRefused(_ line: String, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(line)Host: localhost\r\n\r\n")
            #expect(try await peer.answer()?.status == status)
            #expect(await peer.isClosed())
        }
    }

    // MARK: Other protocols

    private static let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"

    private static let upgradeInAList = "connection: keep-alive\r\nConnection: a, UPGRADE\r\nUpgrade: x, y\r\n"

    @Test(arguments: [upgrade, upgradeInAList, "Upgrade: x\r\n"])
    func aRequestForAnotherProtocolIsAnsweredInThisOne(_ headers: String) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(Self.head)\(headers)Content-Length: 1\r\n\r\n1")
            #expect(try await peer.answer()?.text == "1")
            #expect(try await peer.call("Echo", [2])?.body == [2], "the connection continues")
            let next = "\(Self.head)\(headers)Content-Length: 1\r\n\r\n"
            try await peer.send("\(next)3\(next)4\(Self.head)Content-Length: 1\r\n\r\n5")
            for text in ["3", "4", "5"] { #expect(try await peer.answer()?.text == text) }
        }
    }

    @Test func aRequestForAnotherProtocolMayArriveByteByByte() async throws {
        try await HTTP1Peer.run { server, peer in
            let request = "\(Self.head)\(Self.upgrade)Content-Length: 1\r\n\r\n"
            for byte in "\(request)1\(request)2".utf8 { try await peer.send([byte]) }
            for text in ["1", "2"] { #expect(try await peer.answer()?.text == text) }
        }
    }

    /// The parser stops there, so what follows is neither read nor kept.
    @Test(arguments: [
        ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\(upgrade)\r\n", 404),
    ])
    func bytesOfAnotherProtocolAreNotKept(_ request: String, _ status: Int) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send(Array(request.utf8) + [UInt8](repeating: 0, count: 100))
            #expect(try await peer.answer()?.status == status)
            var sentCount = 0
            let junk = [UInt8](repeating: 0, count: 64 * 1024)
            while sentCount < 64 << 20, (try? await peer.send(junk)) != nil {
                sentCount += junk.count
                #expect(server.inboundByteCount < 1 << 20)
            }
            #expect(sentCount < 64 << 20, "the server has closed the connection")
        }
    }

    // MARK: Requests behind a running call

    @Test func aMalformedRequestBehindOthersWaitsForTheirAnswers() async throws {
        try await HTTP1Peer.run { server, peer in
            let wait = "\(Self.head.replacing("Echo", with: "Hold"))Content-Length: 0\r\nConnect-Timeout-Ms: 50\r\n\r\n"
            try await peer.send("\(wait)\(Self.head)Content-Length: 1\r\n\r\n7\(wait)\u{1}")
            try await peer.send([UInt8](repeating: 0, count: 1_000))
            for status in [504, 200, 504, 400] { #expect(try await peer.answer()?.status == status) }
            #expect(await peer.isClosed())
        }
    }

    /// Requests that wait for the answer before are memory too.
    @Test func requestsThatWaitCountTowardsTheBudget() async throws {
        let methods = TestMethods()
        try await HTTP1Peer.run(methods: methods) { server, peer in
            // While requests wait, the server does not read, and does not see that the peer is gone.
            try await peer.post("Hold", [])
            await methods.hasWaiting.wait()
            #expect(server.inboundByteCount == 0)
            try await peer.send((0..<200).map { "\(Self.head)Content-Length: 3\r\n\r\n\($0 + 100)" }.joined())
            try await eventually { server.inboundByteCount > 2_000 }
            methods.holdsMayEnd()
        }
    }

    /// The time of the end begins when the kernel has taken the last answer, not when it was written.
    @Test func theLastAnswerMayTakeLongerThanTheEnd() async throws {
        try await HTTP1Peer.run(.with { $0.lingerTimeout = .milliseconds(20) }, settings: 65_536) { server, peer in
            let size: UInt32 = 32 << 20
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
            try await peer.post("Sized", bytes, [("Connection", "close")])
            try await eventually { server.unsentByteCount > 0 }
            // Several times as long as the end. The peer reads nothing meanwhile.
            try await Task.sleep(for: .milliseconds(100))
            try await peer.startReading()
            #expect(try await peer.answer()?.body.count == Int(size))
            #expect(await peer.isClosed())
        }
    }

    @Test func aConnectionThatEndsHoldsNoMemoryOfRequests() async throws {
        try await HTTP1Peer.run(.with { $0.lingerTimeout = .seconds(30) }) { server, peer in
            let wait = Self.head.replacing("Echo", with: "Hold")
            let body = String(repeating: "1", count: 2_000)
            try await peer.send(
                "\(wait)Connection: close\r\nContent-Length: \(body.count)\r\nConnect-Timeout-Ms: 100\r\n\r\n\(body)"
            )
            try await eventually { server.inboundByteCount > 0 }
            #expect(try await peer.answer()?.status == 504)
            #expect(await peer.isClosed())
            try await eventually { server.inboundByteCount == 0 }
            #expect(server.connectionCount == 1)
        }
    }

    /// Nothing is left to read of it, and the peer reads nothing.
    @Test func aPeerThatDoesNotTakeTheLastAnswerIsCounted() async throws {
        try await HTTP1Peer.run(.with { $0.limits.writeTimeout = .milliseconds(50) }, settings: 4_096) { server, peer in
            try await peer.post("Sized", [2, 0, 0, 0], [("Connection", "close")])
            try await eventually { server.count(of: .writeTimeout) == 1 }
            try await eventually { server.connectionCount == 0 }
            #expect(server.unsentByteCount == 0)
        }
    }
}
