import Foundation
import FuzzTargets
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
