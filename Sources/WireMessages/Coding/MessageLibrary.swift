internal import CMarvelMessages

/// Decodes and encodes every message.
package enum MessageLibrary {
    /// CVE-2022-33070 and CVE-2022-48468 are fixed in this version.
    private static let minimumVersion: UInt32 = 1_004_001

    /// Call it before decoding: the library at run time may differ from the headers at build time.
    package static func checkVersion() throws(LibraryTooOld) {
        try check(protobuf_c_version_number(), name: String(cString: protobuf_c_version()))
    }

    static func check(_ number: UInt32, name: String) throws(LibraryTooOld) {
        guard number >= minimumVersion else { throw LibraryTooOld(found: name) }
    }
}

package struct LibraryTooOld: Error, Sendable, Hashable, CustomStringConvertible {
    package let found: String

    package var description: String {
        "libprotobuf-c \(found) is installed; 1.4.1 or newer is required (CVE-2022-33070, CVE-2022-48468)"
    }
}
