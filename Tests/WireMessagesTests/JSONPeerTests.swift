import ChildProcesses
import Foundation
import MarvelDomain
import NIOCore
import Testing

@testable import WireMessages

/// Messages of every kind, made up, in the JSON of this code and of Google's library for Python.
struct JSONPeerTests {
    private struct Sample {
        var kind: MessageKind
        var name: String
        var encoded: ByteBuffer
        /// Empty for the messages of the framing.
        var json: String
    }

    /// Messages without a time or a path that has no JSON.
    private static func samples(_ seeds: ClosedRange<UInt64>) throws -> [Sample] {
        try MessageKind.all.flatMap { kind in
            let name = kind.testDescription
            // An entry of a map has no JSON of its own.
            guard !name.hasSuffix("Entry") else { return [Sample]() }
            return try seeds.compactMap { seed in
                var random = SplitMix64(seed: seed)
                let encoded = kind.example(&random)
                guard let message = JSONMessage.all[name] else {
                    return Sample(kind: kind, name: name, encoded: encoded, json: "")
                }
                do throws(JSONError) {
                    let json = try JSONEncoding.json(of: encoded, as: message)
                    return Sample(kind: kind, name: name, encoded: encoded, json: String(buffer: json))
                } catch {
                    try #require(error.problem == .outOfRange, "\(name): \(error)")
                    return nil
                }
            }
        }
    }

    private static func encoded(_ json: String, _ name: String) throws -> ByteBuffer {
        let message = try #require(JSONMessage.all[name])
        return try JSONDecoding.encoding(of: Array(json.utf8), as: message)
    }

    /// Every message of a service has its table, and every table of a generated message is tested.
    @Test func everyMessageOfAServiceHasJSON() throws {
        let names = Set(GeneratedMessages.all.map { $0.fullName }).filter {
            ($0.hasPrefix("marvel.v1.") || $0.hasPrefix("grpc.")) && !$0.hasSuffix("Entry")
        }
        #expect(names.subtracting(JSONMessage.all.keys) == [])
        #expect(names.subtracting(try JSONPeerTests.samples(1...20).map(\.name)) == [])
    }

    @Test func writtenValuesAreReadBack() throws {
        for sample in try JSONPeerTests.samples(1...40) where !sample.json.isEmpty {
            let again = try JSONPeerTests.encoded(sample.json, sample.name)
            #expect(try sample.kind.recode(again, .response) == sample.encoded, "\(sample.json)")
        }
    }

    /// Python reads our bytes and our JSON as the same message, and we read its bytes and all its forms of JSON.
    @Test func pythonReadsWhatWeWriteAndWritesWhatWeRead() async throws {
        let samples = try JSONPeerTests.samples(1...25)
        #expect(samples.count > 300)
        let text = samples.map { "\($0.name)\t\($0.encoded.hex)\t\($0.json)\n" }.joined()
        let lines = try await Python.run(pythonExchange, input: text)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var rest = lines[...]
        for sample in samples {
            let bytes = rest.popFirst()
            let theirs = ByteBuffer(hex: String(try #require(bytes)))
            #expect(try sample.kind.recode(theirs, .response) == sample.encoded)
            for line in sample.json.isEmpty ? [] : rest.prefix(4) {
                let theirs = try JSONPeerTests.encoded(String(line), sample.name)
                #expect(try sample.kind.recode(theirs, .response) == sample.encoded, "\(line)")
            }
            if !sample.json.isEmpty { rest = rest.dropFirst(4) }
        }
        #expect(rest == [""])
    }
}

/// Compares our JSON with the message, and prints its bytes and the JSON that the library makes of it, in each of its
/// forms.
private let pythonExchange = """
    import inspect
    import sys
    from google.protobuf import json_format, symbol_database
    from grpc.health.v1 import health_pb2
    from grpc.reflection.v1 import reflection_pb2
    from marvel.rpc.v1 import extensions_pb2, status_pb2, ttrpc_pb2
    from marvel.v1 import marvel_pb2

    symbols = symbol_database.Default()
    # Its name in version 5, and before.
    names = ["always_print_fields_with_no_presence", "including_default_value_fields"]
    defaults = next(name for name in names if name in inspect.signature(json_format.MessageToJson).parameters)
    for line in open(sys.argv[1], encoding="utf-8", newline="\\n"):
        name, encoded, ours = line.rstrip("\\n").split("\\t")
        kind = symbols.GetSymbol(name)
        message = kind.FromString(bytes.fromhex(encoded))
        print(message.SerializeToString(deterministic=True).hex())
        if not ours:
            continue
        read = json_format.Parse(ours, kind())
        if read != message:
            sys.exit(f"{ours} is {read}, and should be {message}")
        for options in [
            {},
            {"preserving_proto_field_name": True},
            {"use_integers_for_enums": True, defaults: True},
            {"sort_keys": True, "ensure_ascii": False},
        ]:
            print(json_format.MessageToJson(message, indent=None, **options))
    """
