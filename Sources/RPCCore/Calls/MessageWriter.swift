public import NIOCore

/// A writer of a message's parts into memory of the right size.
///
/// Growing a `ByteBuffer` and checking its uniqueness for each small field costs more than writing the field. Here both
/// happen once for a message. Everything is inlinable, because a call across targets costs more than its work. `take`
/// is always inlined: as a call it took 2 % of a page's time.
@usableFromInline
package struct MessageWriter {
    @usableFromInline
    var rest: UnsafeMutableRawBufferPointer

    @usableFromInline
    init(_ memory: UnsafeMutableRawBufferPointer) { self.rest = memory }

    @inlinable
    package mutating func write(_ byte: UInt8) {
        take(1).storeBytes(of: byte, as: UInt8.self)
    }

    /// In network byte order.
    @inlinable
    package mutating func write(_ integer: UInt32) {
        take(MemoryLayout<UInt32>.size).storeBytes(of: integer.bigEndian, as: UInt32.self)
    }

    @inlinable
    package mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        take(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    }

    @inlinable
    package mutating func write(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { write($0) }
    }

    /// Returns the next `byteCount` bytes for the caller to write. It is a program error if fewer bytes are left.
    @inlinable @inline(__always)
    package mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        guard byteCount <= rest.count, let start = rest.baseAddress else {
            preconditionFailure("a message is longer than it said")
        }
        rest = UnsafeMutableRawBufferPointer(start: start + byteCount, count: rest.count - byteCount)
        return start
    }
}

extension ByteBuffer {
    @inlinable
    package mutating func write(byteCount: Int, _ body: (inout MessageWriter) -> Void) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { memory in
            var writer = MessageWriter(UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
            body(&writer)
            precondition(writer.rest.isEmpty, "a message is shorter than it said")
            return byteCount
        }
    }
}
