import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import HTTPFraming

/// The queries of calls by GET. `GETCallTests` has those that are refused.
struct CallQueryTests {
    private static let hexadecimal = Array("0123456789ABCDEFabcdef")

    /// A text may be escaped where it need not be.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func anyTextSurvives(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let text = String(
            String.UnicodeScalarView(
                (0..<40).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
            )
        )
        let query = text.utf8.map { byte in
            let isPlain = (48...57).contains(byte) || (97...122).contains(byte)
            guard !isPlain || Bool.random(using: &random) else { return String(Unicode.Scalar(byte)) }
            let digits = [byte >> 4, byte & 15].map { digit in
                digit > 9 && Bool.random(using: &random)
                    ? Self.hexadecimal[Int(digit) + 6] : Self.hexadecimal[Int(digit)]
            }
            return "%" + String(digits)
        }
        let read = CallQuery("/a/b?encoding=proto&message=\(query.joined())")
        #expect(read.fault == nil)
        #expect(String(buffer: read.message) == text)
    }

    /// Their comparison would take quadratic time.
    @Test func marksInAParameterAreNotCompared() {
        let marks = "m" + String(repeating: "%CC%81", count: 31)
        #expect(CallQuery("/a/b?encoding=proto&\(marks)=1&message=").fault == nil)
        #expect(CallQuery("/a/b?encoding=\(marks)&message=").fault?.reason == .codecUnsupported)
        #expect(CallQuery("/a/b?connect=\(marks)&encoding=proto&message=").fault?.reason == .requestMalformed)
    }

    /// Whatever arrives has a message or a fault.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func garbageIsRefused(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "message", "encoding", "base64", "=", "&", "%", "%4", "%ff", "+", "?", "json", "proto", "1", "é", "\0",
        ]
        let query = (0..<20).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        let read = CallQuery("/a/b?\(query)")
        #expect(read.fault == nil || read.message.readableBytes == 0)
    }
}
