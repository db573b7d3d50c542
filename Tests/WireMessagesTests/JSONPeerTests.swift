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
        var json: String
    }

    /// The messages of services that have JSON: not those with a time or a path that has none.
    private static func samples(_ seeds: ClosedRange<UInt64>) throws -> [Sample] {
        try MessageKind.all.flatMap { kind in
            guard let name = kind.fullName, let message = JSONMessage.all[name] else { return [Sample]() }
            return try seeds.compactMap { seed in
                var random = SplitMix64(seed: seed)
                let encoded = kind.example(&random)
                do throws(JSONError) {
                    let json = try JSONEncoding.json(of: encoded, as: message, includesDefaults: seed.isMultiple(of: 2))
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
        return try JSONDecoding.encoding(of: Array(json.utf8), as: message, .refuse)
    }

    /// Messages that are made up only within others.
    private static let nestedOnly: Set = [
        "marvel.v1.WatchFavoritesResponse.Progress", "marvel.v1.WatchFavoritesResponse.Snapshot",
        "grpc.health.v1.HealthListResponse.StatusesEntry",
    ]

    /// Every message of a service has its table, and every table of a generated message is tested.
    @Test func everyMessageOfAServiceHasJSON() throws {
        let names = Set(GeneratedMessages.all.map { $0.fullName }).filter {
            $0.hasPrefix("marvel.v1.") || $0.hasPrefix("grpc.")
        }
        #expect(names.subtracting(JSONMessage.all.keys) == [])
        let samples = Set(try JSONPeerTests.samples(1...20).map(\.name))
        #expect(samples == names.subtracting(JSONPeerTests.nestedOnly))
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        for sample in try JSONPeerTests.samples(1...40) {
            let again = try JSONPeerTests.encoded(sample.json, sample.name)
            #expect(try sample.kind.recode(again, .response) == sample.encoded, "\(sample.json)")
        }
    }

    /// Python reads ours as the message that it is, and we read all forms that Python writes.
    @Test func pythonReadsWhatWeWriteAndWritesWhatWeRead() throws {
        let samples = try JSONPeerTests.samples(1...25)
        #expect(samples.count > 300)
        let lines = try OtherLanguagesTests.withTemporaryFolder { folder in
            try OtherLanguagesTests.compileForPython(into: folder)
            let (script, input) = (folder.appending(path: "exchange.py"), folder.appending(path: "messages"))
            try pythonExchange.write(to: script, atomically: true, encoding: .utf8)
            let text = samples.map { "\($0.name)\t\($0.encoded.hex)\t\($0.json)\n" }.joined()
            try text.write(to: input, atomically: true, encoding: .utf8)
            return try OtherLanguagesTests.run("/usr/bin/python3", [script.path(), input.path()]).split(separator: "\n")
        }
        try #require(lines.count == 4 * samples.count)
        for (index, line) in lines.enumerated() {
            let sample = samples[index / 4]
            let theirs = try JSONPeerTests.encoded(String(line), sample.name)
            #expect(try sample.kind.recode(theirs, .response) == sample.encoded, "\(line)")
        }
    }
}

/// Compares our JSON with the message, and prints the JSON that the library makes of it, in each of its forms.
private let pythonExchange = """
    import inspect
    import sys
    from google.protobuf import json_format, symbol_database
    from grpc.health.v1 import health_pb2
    from grpc.reflection.v1 import reflection_pb2
    from marvel.v1 import marvel_pb2

    symbols = symbol_database.Default()
    # Its name in version 5, and before.
    names = ["always_print_fields_with_no_presence", "including_default_value_fields"]
    defaults = next(name for name in names if name in inspect.signature(json_format.MessageToJson).parameters)
    for line in open(sys.argv[1], encoding="utf-8", newline="\\n"):
        name, encoded, ours = line.rstrip("\\n").split("\\t")
        kind = symbols.GetSymbol(name)
        message = kind.FromString(bytes.fromhex(encoded))
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
