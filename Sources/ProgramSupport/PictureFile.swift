internal import Foundation

/// A picture file that a person names on the command line.
package enum PictureFile {
    /// Reads a file, or standard input for `-`. Of a file that is too large, `maximum` + 1 bytes are read.
    ///
    /// - Throws: `Failure`.
    package static func read(_ path: String, maximum: Int) throws(Failure) -> [UInt8] {
        do {
            let file =
                path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            var bytes: [UInt8] = []
            while bytes.count <= maximum, let more = try file.read(upToCount: maximum + 1 - bytes.count), !more.isEmpty
            {
                bytes += more
            }
            return bytes
        } catch {
            throw Failure(path: path, reason: (error as NSError).localizedDescription)
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        package var description: String { "cannot read \(path): \(reason)" }
    }
}
