import Framing
import NIOCore
import RPCCore
import Testing

/// Frames and their bytes, worked out by hand from the layout in ttrpc's PROTOCOL.md, "Message Frame".
@Suite struct FrameGoldenTests {
    static let golden: [(String, Frame)] = [
        ("00000000 00000001 01 00", Frame(.request, on: 1)),
        ("00000003 00000001 01 01 | 61 62 63", Frame(.request, on: 1, flags: .remoteClosed, data: text("abc"))),
        ("00000001 00000003 01 02 | ff", Frame(.request, on: 3, flags: .remoteOpen, data: bytes([0xFF]))),
        ("00000002 01020305 02 00 | 12 00", Frame(.response, on: 0x0102_0305, data: bytes([0x12, 0x00]))),
        ("00000000 00000005 03 00", Frame(.data, on: 5)),
        ("00000000 00000005 03 05", Frame(.data, on: 5, flags: [.remoteClosed, .noData])),
        ("00000001 00000005 03 01 | 00", Frame(.data, on: 5, flags: .remoteClosed, data: bytes([0]))),
        ("00000002 ffffffff 10 00 | 08 01", Frame(.hello, on: .connection, data: bytes([0x08, 0x01]))),
        ("00000000 00000007 11 00", Frame(.cancel, on: 7)),
        ("00000008 ffffffff 12 00 | 0102030405060708", Frame(.ping, on: .connection, data: bytes(1...8))),
        ("00000008 ffffffff 13 00 | 0102030405060708", Frame(.pong, on: .connection, data: bytes(1...8))),
        ("00000002 ffffffff 14 00 | 08 05", Frame(.goAway, on: .connection, data: bytes([0x08, 0x05]))),
        ("00000004 00000009 15 00 | 00000003", Frame(.credit, on: 9, data: bytes([0, 0, 0, 3]))),
        // An unknown type and unknown flags are kept.
        (
            "00000001 00000002 fe ff | 7f",
            Frame(FrameType(rawValue: 0xFE), on: 2, flags: FrameFlags(rawValue: 0xFF), data: bytes([0x7F]))
        ),
    ]

    private static func bytes(_ bytes: some Sequence<UInt8>) -> ByteBuffer { ByteBuffer(bytes: bytes) }
    private static func text(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    @Test(arguments: golden)
    func aFrameIsWrittenAsItsBytes(_ hex: String, _ frame: Frame) {
        #expect(frame.encoded == ByteBuffer(hex: hex))
    }

    @Test(arguments: golden)
    func bytesAreReadAsTheirFrame(_ hex: String, _ frame: Frame) throws {
        var decoder = FrameDecoder()
        #expect(try decoder.feed([ByteBuffer(hex: hex)]) == [.frame(frame)])
    }

    @Test(arguments: [(3, "00000003"), (0, "00000000"), (.max, "ffffffff")] as [(UInt32, String)])
    func aCreditIsFourBytesBigEndian(_ count: UInt32, _ hex: String) {
        var bytes = ByteBuffer()
        bytes.writeCreditFrame(count, on: 9)
        #expect(bytes == ByteBuffer(hex: "00000004 00000009 15 00 | \(hex)"))
    }
}
