internal import Glibc

/// A pipe whose ends no child inherits, unless it is told to.
package struct ReadablePipe: Sendable {
    package let writeEnd: Int32
    private let readEnd: Int32

    /// - Throws: `ChildProcessError` when there are no descriptors left.
    package init() throws(ChildProcessError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcessError(call: "pipe", number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// The end that is read, for a child whose input it is.
    package var readDescriptor: Int32 { readEnd }

    package func closeReadEnd() { close(readEnd) }
    package func closeWriteEnd() { close(writeEnd) }

    /// Reads the next 1 to `maximumCount` bytes; empty when nobody can write any more. Blocks.
    ///
    /// - Parameter maximumCount: How many bytes to take at most.
    /// - Returns: The bytes.
    package func read(atMost maximumCount: Int = 65_536) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: maximumCount) { bytes, count in
            var result: Int
            repeat { result = Glibc.read(readEnd, bytes.baseAddress, maximumCount) } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// Hands over what arrives until nobody can write any more, and closes. Blocks: it wants a thread of its own.
    package func readToEnd(_ receive: ([UInt8]) -> Void) {
        while true {
            let bytes = read()
            guard !bytes.isEmpty else { break }
            receive(bytes)
        }
        closeReadEnd()
    }
}
