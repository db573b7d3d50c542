internal import FramingDrivers
internal import NIOCore

/// Frame decoder and connection machine. The first eight bytes are the seed of what this side does, and of how the
/// others are cut into reads.
extension FuzzTarget {
    static let server = FuzzTarget("server") { bytes in
        var bytes = bytes
        let seed: UInt64 = bytes.readInteger() ?? 0
        return ServerDriver.play(bytes, seed: seed)
    }

    static let client = FuzzTarget("client") { bytes in
        var bytes = bytes
        let seed: UInt64 = bytes.readInteger() ?? 0
        return ClientDriver.play(bytes, seed: seed)
    }
}
