internal import CZlib

/// Compression of replies with gzip.
enum Gzip {
    /// The compression level that most web servers use. Higher levels take longer and hardly reduce the size.
    private static let level: Int32 = 6

    /// Whether an `Accept-Encoding` header names gzip. `*` is not enough, and a weight of 0 refuses gzip.
    static func isAsked(by acceptEncoding: String?) -> Bool {
        (acceptEncoding ?? "").split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.trimming(while: \.isWhitespace).lowercased() }
            guard let name = parts.first, name == "gzip" || name == "x-gzip" else { return false }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return true }
            return Double(weight.dropFirst(2)).map { $0 > 0 } ?? false
        }
    }

    /// Compresses the bytes. Nil if there is no memory; then the bytes are sent uncompressed.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
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
}
