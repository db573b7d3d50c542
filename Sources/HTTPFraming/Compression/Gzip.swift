internal import CZlib

package enum Gzip {
    /// The level of most web servers. Higher levels take longer and hardly reduce the size.
    private static let level: Int32 = 6

    /// The maximum of concatenated texts. Empty ones cost time, and count for nothing else.
    private static let maximumTextCount = 1_000

    package enum Failure: Error, Hashable {
        /// The text is not in the gzip format, ends too early, or has bytes after its end.
        case malformed
        case tooLarge
        case noMemory
    }

    /// Whether an `Accept-Encoding` header names gzip. `*` is not enough, and a weight of 0 refuses gzip.
    package static func isAccepted(by acceptEncoding: String?) -> Bool {
        (acceptEncoding ?? "").split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { part in
                part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }.lowercased()
            }
            guard let name = parts.first, name == "gzip" || name == "x-gzip" else { return false }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return true }
            return Double(weight.dropFirst(2)).map { $0 > 0 } ?? false
        }
    }

    /// Nil if there is no memory; then the bytes are sent uncompressed.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard czlib_begin_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var isDone = false
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = capacity - Int(stream.avail_out)
        }
        return isDone ? output : nil
    }

    /// The bytes may be several concatenated compressed texts (RFC 1952, section 2.2). The result never has more than
    /// `maximum` bytes.
    package static func decompress(_ bytes: [UInt8], maximum: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard czlib_begin_gunzip(&stream) == Z_OK else { throw .noMemory }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var input = bytes
        let code = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var code = inflate(&stream, maximum: maximum, into: &output)
            var count = 1
            while code == Z_STREAM_END, stream.avail_in > 0, output.count <= maximum {
                count += 1
                guard count <= Self.maximumTextCount, inflateReset(&stream) == Z_OK else { return Z_DATA_ERROR }
                code = inflate(&stream, maximum: maximum, into: &output)
            }
            return code
        }
        guard output.count <= maximum else { throw .tooLarge }
        guard code != Z_MEM_ERROR else { throw .noMemory }
        guard code == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
        return output
    }

    /// Inflates until the end of the text or an error, and at most one byte more than `maximum`.
    private static func inflate(_ stream: inout z_stream, maximum: Int, into output: inout [UInt8]) -> CInt {
        let stepByteCount = 16 * 1024
        var code = Z_OK
        while code == Z_OK, output.count <= maximum {
            let capacity = min(stepByteCount, maximum + 1 - output.count)
            output += [UInt8](unsafeUninitializedCapacity: capacity) { step, count in
                stream.next_out = step.baseAddress
                stream.avail_out = UInt32(capacity)
                code = CZlib.inflate(&stream, Z_NO_FLUSH)
                count = capacity - Int(stream.avail_out)
            }
        }
        return code
    }
}
