internal import Foundation

/// Says on stderr what is under way; stdout is for the result.
package enum Progress {
    package static func show(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
