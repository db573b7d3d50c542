internal import NIOCore
internal import RPCCore
internal import WireMessages

/// Every message that is decoded anywhere: what can be decoded encodes to what decodes to the same.
extension FuzzTarget {
    static let messages = FuzzTarget("messages") { bytes in
        MessageKind.all.flatMap { $0.check(bytes) } + checkPlainEnvelope(bytes)
    }

    /// The methods whose requests are read in place.
    private static let methods = [("marvel.v1.MarvelService", "GetCharacter"), ("a", "b")]
    private static let prefixes = methods.reduce(into: RequestPrefixes()) { $0.append($1.1, of: $1.0) }

    /// A request that is read in place is read as libprotobuf-c reads it.
    private static func checkPlainEnvelope(_ bytes: ByteBuffer) -> [String] {
        var findings = Findings()
        guard let (number, byteCount) = prefixes.method(ofRequest: bytes),
            let plain = PlainEnvelope(bytes, behind: byteCount)
        else { return [] }
        do throws(WireError) {
            let envelope = try RequestEnvelope(decoding: bytes, limit: .envelope)
            findings.expect(plain.payload == envelope.payload, "the payload is another")
            findings.expect(plain.timeoutNanoseconds == envelope.timeoutNanoseconds, "the timeout is another")
            let isSame = (envelope.service, envelope.method) == methods[number]
            findings.expect(isSame && envelope.metadata.isEmpty, "another method is called")
        } catch {
            findings.expect(false, "a request that is refused is read in place: \(error)")
        }
        return findings.breaches
    }

    /// Keys and values, a NUL behind each: an envelope that keeps to the limits brings them all, another none.
    static let metadata = FuzzTarget("metadata") { bytes in
        var findings = Findings()
        let texts = bytes.readableBytesView.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        var envelope = RequestEnvelope(service: "s", method: "m")
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            envelope.metadata.append(texts[index], texts[index + 1])
        }
        let pairs = envelope.metadata.pairs
        let byteCount = pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let isAllowed = pairs.count <= Metadata.maximumPairs && byteCount <= Metadata.maximumBytes
        do throws(WireError) {
            let decoded = try RequestEnvelope(decoding: envelope.encoded(), limit: .envelope)
            findings.expect(isAllowed, "\(pairs.count) pairs of \(byteCount) bytes are taken")
            findings.expect(decoded == envelope, "metadata is changed")
            for pair in pairs {
                let first = pairs.first { $0.key == pair.key }
                findings.expect(decoded.metadata[pair.key] == first?.value, "\(pair.key) has another value")
            }
        } catch .tooMuchMemory {
            // Pairs of nothing take many times the memory of their bytes.
            findings.expect(pairs.contains { $0.key.isEmpty }, "\(pairs.count) pairs with keys take too much memory")
        } catch {
            findings.expect(!isAllowed, "\(pairs.count) pairs of \(byteCount) bytes are refused: \(error)")
        }
        return findings.breaches
    }
}
