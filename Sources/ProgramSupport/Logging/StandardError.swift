internal import Foundation
internal import Synchronization

/// The stream that logs go to.
package enum StandardError {
    /// A pipe may take a line in parts: the lock keeps the parts of two lines from mixing.
    private static let lock = Mutex(())

    /// Writes all of `line`, or as much as there is a reader for: a log that cannot be written stops nothing.
    package static func write(_ line: [UInt8]) {
        lock.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count < 0 && errno != EINTR { return }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }
}
