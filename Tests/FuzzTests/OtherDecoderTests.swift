import ChildProcesses
import Foundation
import FramingDrivers
import FuzzTargets
import MarvelDomain
import NIOCore
import Testing
import WireMessages

/// The same bytes to our decoder and to Google's, by way of its Python library: both take them, and read the same, or both
/// refuse them. The only known difference are tags that the encoding does not have: the library for Python takes some.
struct OtherDecoderTests {
    @Test func googlesDecoderReadsTheCorpusAsWeDo() async throws {
        let inputs = try Self.inputs()
        var questions = ""
        for kind in MessageKind.all {
            for input in inputs { questions += "\(kind.name) \(input.hex) \(Self.answer(kind.recode(input)))\n" }
        }
        let differences = try await Python.run(script, input: questions)
        #expect(differences == "")
    }

    /// The corpus, and inputs made from it. The large ones are bombs, which are refused for their memory.
    private static func inputs() throws -> [ByteBuffer] {
        let messages = FuzzTarget.all.filter { $0.name == "messages" }
        let kept = try messages.flatMap { try Corpus.inputs(of: $0).map(\.bytes) }.filter { $0.readableBytes < 4096 }
        let made = (UInt64(0)..<800).map { seed in
            var random = SplitMix64(seed: seed)
            var bytes = kept.randomElement(using: &random) ?? ByteBuffer()
            let other = kept.randomElement(using: &random) ?? ByteBuffer()
            // Two messages, one behind the other, are one in which fields occur twice.
            if seed.isMultiple(of: 2) { bytes.writeImmutableBuffer(other) }
            return seed.isMultiple(of: 4) ? bytes : random.mutation(of: bytes, with: other)
        }
        return kept + made
    }

    private static func answer(_ result: Result<ByteBuffer, WireError>) -> String {
        switch result {
        case .success(let bytes): "=\(bytes.hex)"
        case .failure(.malformed), .failure(.json): "malformed"
        // Rules of our own, which come after protobuf's.
        case .failure(.invalidText), .failure(.invalidValue), .failure(.metadataTooLarge): "invalid"
        case .failure(.tooLarge), .failure(.tooMuchMemory): "large"
        }
    }
}

/// Reads lines of a message's name, bytes in hex, and what we made of them. Prints those that Google's decoder reads in
/// another way.
private let script = #"""
    import sys
    from google.protobuf import any_pb2, duration_pb2, timestamp_pb2, symbol_database
    from google.protobuf.message import DecodeError
    from marvel.v1 import marvel_pb2
    from marvel.rpc.v1 import ttrpc_pb2, status_pb2, extensions_pb2
    from grpc.health.v1 import health_pb2
    from grpc.reflection.v1 import reflection_pb2

    types = symbol_database.Default()
    known_details = {"google.rpc." + name: types.GetSymbol("marvel.rpc.v1." + name)
                     for name in ["ErrorInfo", "BadRequest", "RetryInfo", "QuotaFailure"]}

    def varint(data, at):
        value = shift = 0
        while True:
            if at >= len(data) or shift > 63: raise DecodeError()
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128: return value, at

    def has_false_tag(descriptor, data):
        """Whether a tag here, or in a message here, has more than 32 bits or the field number 0, or ends a group that
        has not begun."""
        at, groups = 0, []
        while at < len(data):
            tag, at = varint(data, at)
            number, kind = tag >> 3, tag & 7
            if tag >= 2**32 or number == 0: return True
            if kind == 0: _, at = varint(data, at)
            elif kind == 1: at += 8
            elif kind == 5: at += 4
            elif kind == 2:
                length, at = varint(data, at)
                content, at = data[at:at + length], at + length
                if at > len(data): return False
                field = None if groups else descriptor.fields_by_number.get(number)
                if field is None or field.message_type is None: continue
                if has_false_tag(field.message_type, content): return True
            elif kind == 3: groups.append(number)
            elif kind == 4:
                if not groups or groups.pop() != number: return True
            else: return False
        return False

    def normal(message):
        """The message as our types hold it."""
        name = message.DESCRIPTOR.full_name
        if name == "marvel.rpc.v1.Status" and not 0 <= message.code <= 16: message.code = 2
        if name == "google.protobuf.Any" and "/" in message.type_url:
            kind = known_details.get(message.type_url.rsplit("/", 1)[1])
            if kind is not None: normal_detail(message, kind)
        if name == "google.protobuf.Duration":
            nanos = message.seconds * 10**9 + message.nanos
            sign = -1 if nanos < 0 else 1
            message.seconds, message.nanos = sign * (abs(nanos) // 10**9), sign * (abs(nanos) % 10**9)
        for field, value in message.ListFields():
            if field.message_type is None: continue
            if field.message_type.GetOptions().map_entry: value = value.values()
            for inner in value if field.label == field.LABEL_REPEATED else [value]: normal(inner)
        if name == "marvel.rpc.v1.ErrorInfo":
            last = {entry.key: entry.value for entry in message.metadata}
            del message.metadata[:]
            for key in sorted(last, key=lambda key: key.encode()): message.metadata.add(key=key, value=last[key])
        if name == "marvel.rpc.v1.Response" and message.HasField("status") and message.status.code == 0:
            message.ClearField("status")
        for field in message.DESCRIPTOR.fields:
            # Not set, or set to what it is when it is not set: our types know no difference.
            if field.name in ("freshness", "age", "retry_delay", "saved_at") and field.message_type is not None:
                getattr(message, field.name).SetInParent()
                normal(getattr(message, field.name))
        message.DiscardUnknownFields()

    def normal_detail(message, kind):
        """A detail that our types do not take stays as it is."""
        try: detail = kind.FromString(message.value)
        except DecodeError: return
        if not is_valid(detail): return
        normal(detail)
        message.type_url = "type.googleapis.com/" + message.type_url.rsplit("/", 1)[1]
        message.value = detail.SerializeToString(deterministic=True)

    def is_valid(message):
        if message.DESCRIPTOR.full_name == "google.protobuf.Duration":
            return abs(message.seconds) <= 315576000000 and abs(message.nanos) < 10**9
        for field, value in message.ListFields():
            values = value if field.label == field.LABEL_REPEATED else [value]
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                if any("\0" in key for key in value): return False
                values = value.values()
            if field.type == field.TYPE_STRING and any("\0" in text for text in values): return False
            if field.message_type is not None and not all(map(is_valid, values)): return False
        return True

    def difference(kind, data, ours):
        try:
            if has_false_tag(kind.DESCRIPTOR, data): return "only we take it" if ours.startswith("=") else None
        except DecodeError:
            pass
        try:
            theirs = kind.FromString(data)
        except DecodeError:
            return "only we take it" if ours.startswith("=") else None
        if ours == "malformed": return "only we refuse it"
        if not ours.startswith("="): return None
        again = kind.FromString(bytes.fromhex(ours[1:]))
        normal(theirs), normal(again)
        if theirs != again: return f"we read {again}, they read {theirs}".replace("\n", " ")

    for line in open(sys.argv[1]):
        name, hex, ours = line.rstrip("\n").split(" ")
        found = difference(types.GetSymbol(name), bytes.fromhex(hex), ours)
        if found: print(name, hex[:400], found[:400])
    """#

extension ByteBuffer {
    fileprivate var hex: String {
        readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
