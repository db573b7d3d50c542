import Foundation
import FramingDrivers
import FuzzTargets
import MarvelDomain
import NIOCore
import Testing

/// Inputs that are kept: one folder for each target, one file for each input. Its name says what it is.
enum Corpus {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: ByteBuffer)] {
        let folder = folder.appending(path: target.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map { name in
            (name, ByteBuffer(bytes: try Data(contentsOf: folder.appending(path: name))))
        }
    }

    static func folders() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path()))
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension SplitMix64 {
    /// Bytes that differ from `bytes` in a few places, or are spliced from them and `others`: what a fuzzer tries first.
    mutating func mutation(of bytes: ByteBuffer, with other: ByteBuffer) -> ByteBuffer {
        var mutated = [UInt8](bytes.readableBytesView)
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let place = Int.random(in: 0...mutated.count, using: &self)
            let end = min(place + Int.random(in: 0...8, using: &self), mutated.count)
            switch Int.random(in: 0..<7, using: &self) {
            case 0: mutated.insert(contentsOf: self.bytes(Int.random(in: 1...4, using: &self)), at: place)
            case 1: mutated.removeSubrange(place..<end)
            case 2: mutated.insert(contentsOf: mutated[place..<end], at: place)
            case 3: mutated = mutated[..<place] + other.readableBytesView.suffix(Int.random(in: 0...64, using: &self))
            case 4 where place < mutated.count:
                mutated[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
            case 5 where place < mutated.count: mutated[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            default: if place < mutated.count { mutated[place] = UInt8.random(in: 0...255, using: &self) }
            }
        }
        return ByteBuffer(bytes: mutated)
    }
}
