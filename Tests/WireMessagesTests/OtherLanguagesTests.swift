import Foundation
import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The `.proto` files as the rest of the world reads them: with Google's compiler, and its Python library on the other
/// side of the wire. The tools have to be installed; without them these tests fail.
struct OtherLanguagesTests {
    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let protos = repository.appending(path: "Protos")

    private static func protoFiles() throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: protos.path())
        return all.filter { $0.hasSuffix(".proto") }.sorted()
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `Failure` with what it wrote to its standard error, unless it ended with 0.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program): \(try String(contentsOf: errors, encoding: .utf8))\(text)")
        }
        return text
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "protos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Makes Python's modules of the messages.
    static func compileForPython(into folder: URL) throws {
        try run("protoc", ["--proto_path", protos.path(), "--python_out", folder.path()] + protoFiles())
        // The health service's package has the name of gRPC's own library, which would be taken in its place.
        try Data().write(to: folder.appending(path: "grpc/__init__.py"))
    }

    @Test(arguments: ["cpp", "python", "java"])
    func theProtoFilesAreTakenAsTheyAre(language: String) throws {
        try OtherLanguagesTests.withTemporaryFolder { folder in
            let files = try OtherLanguagesTests.protoFiles()
            #expect(files.count == 6)
            try OtherLanguagesTests.run(
                "protoc",
                ["--proto_path", OtherLanguagesTests.protos.path(), "--\(language)_out", folder.path()] + files
            )
            #expect(try !FileManager.default.subpathsOfDirectory(atPath: folder.path()).isEmpty)
        }
    }

    /// Their plugins then need no flags. Go's wants a path with a slash.
    @Test func theProtoFilesNameTheirPackageInOtherLanguages() throws {
        for file in try OtherLanguagesTests.protoFiles() {
            let text = try String(contentsOf: OtherLanguagesTests.protos.appending(path: file), encoding: .utf8)
            for option in [
                #/\noption go_package = "[a-z0-9.-]+/[a-z0-9_/;.-]+";\n/#, #/\noption java_package = "[a-z0-9.]+";\n/#,
                #/\noption csharp_namespace = "[A-Za-z0-9.]+";\n/#,
            ] {
                #expect(text.contains(option), "\(file)")
            }
        }
    }

    @Test func theGeneratedCodeIsWhatTheProtoFilesSay() throws {
        try OtherLanguagesTests.run(OtherLanguagesTests.protos.appending(path: "generate").path(), ["--check"])
    }

    /// As reflection would send them: another compiler makes code of them without the files.
    @Test func theDescriptorsAreTheProtoFiles() throws {
        // A `google.protobuf.FileDescriptorSet`.
        var set = ByteBuffer()
        for file in ProtoFiles.all {
            let descriptor = ByteBuffer(bytes: file.descriptor)
            let length = descriptor.readableBytes
            set.write(byteCount: 1 + Varint.byteCount(UInt64(length)) + length) { writer in
                writer.write(tag: 1 << 3 | 2, byteCount: length)
                writer.write(descriptor)
            }
        }
        try OtherLanguagesTests.withTemporaryFolder { folder in
            let input = folder.appending(path: "protos.binpb")
            try Data(set.readableBytesView).write(to: input)
            let files = try OtherLanguagesTests.protoFiles()
            try OtherLanguagesTests.run(
                "protoc",
                ["--descriptor_set_in", input.path(), "--python_out", folder.path()] + files
            )
            #expect(files.allSatisfy { file in ProtoFiles.all.contains { $0.name == file } })
        }
    }

    @Test func pythonReadsWhatWeWriteAndWritesWhatWeRead() throws {
        let lines = try OtherLanguagesTests.withTemporaryFolder { folder in
            try OtherLanguagesTests.compileForPython(into: folder)
            let script = folder.appending(path: "exchange.py")
            try pythonExchange.write(to: script, atomically: true, encoding: .utf8)
            let ours = [
                exchangedRequest.encoded(), exchangedResponse.encoded(), exchangedEnvelope.encoded(),
                exchangedFailure.encoded(),
            ]
            return try OtherLanguagesTests.run("/usr/bin/python3", [script.path()] + ours.map(\.hex))
                .split(separator: "\n").map { ByteBuffer(hex: String($0)) }
        }
        try #require(lines.count == 4)
        #expect(try SearchCharactersRequest(decoding: lines[0], limit: .request) == exchangedRequest)
        #expect(try SearchCharactersResponse(decoding: lines[1], limit: .response) == exchangedResponse)
        #expect(try RequestEnvelope(decoding: lines[2], limit: .request) == exchangedEnvelope)
        #expect(try ResponseEnvelope(decoding: lines[3], limit: .response) == exchangedFailure)
    }
}

private let exchangedRequest = SearchCharactersRequest(
    query: "에이 Ω",
    match: MatchValue(rawValue: 77),
    pageSize: -5,
    pageToken: "t-1",
    skip: 2,
    maxPages: .max,
    list: "my.list"
)

private let exchangedResponse = SearchCharactersResponse(
    characters: [
        MarvelCharacter(
            id: .max,
            name: " Spider-Man ",
            description: "naïve",
            modified: Timestamp(seconds: -62_135_596_800, nanoseconds: 999_999_999),
            thumbnail: Thumbnail(path: "http://x/y", fileExtension: "jpg"),
            comicCount: 1,
            seriesCount: 2,
            storyCount: 3,
            eventCount: -4,
            urls: [CharacterURL(type: "detail", url: "http://d"), CharacterURL(type: "", url: "")]
        ),
        MarvelCharacter(id: 2, name: ""),
    ],
    total: 1439,
    nextPageToken: "t-2",
    favoriteIDs: [2, -1, .max],
    attribution: "Data provided by Marvel",
    freshness: Freshness(source: .gateway, age: .seconds(-1) - .milliseconds(500), isStale: true)
)

private let exchangedEnvelope: RequestEnvelope = {
    var metadata = Metadata()
    metadata.append("traceparent", "00-é")
    metadata.append("traceparent", "")
    return RequestEnvelope(
        service: "marvel.v1.MarvelService",
        method: "SearchCharacters",
        payload: exchangedRequest.encoded(),
        timeoutNanoseconds: -7,
        metadata: metadata
    )
}()

private let exchangedFailure = ResponseEnvelope(
    status: RPCError(
        .resourceExhausted,
        "later",
        details: [
            .errorInfo(ErrorInfo(reason: .streamLimit, metadata: ["maximum": "128", "open": "129"])),
            .retryInfo(.milliseconds(1500)),
        ],
        origin: .peer
    )
)

/// Makes the same messages, compares them with ours (the arguments, in hex), and prints its own in hex.
private let pythonExchange = """
    import sys
    from google.protobuf.any_pb2 import Any
    from marvel.v1 import marvel_pb2 as m
    from marvel.rpc.v1 import ttrpc_pb2 as t, status_pb2 as s

    request = m.SearchCharactersRequest(query="에이 Ω", match=77, page_size=-5, page_token="t-1", skip=2,
                                        max_pages=2**31 - 1, list="my.list")

    character = m.Character(id=2**63 - 1, name=" Spider-Man ", description="naïve", comic_count=1, series_count=2,
                            story_count=3, event_count=-4,
                            thumbnail=m.Thumbnail(path="http://x/y", file_extension="jpg"),
                            urls=[m.CharacterUrl(type="detail", url="http://d"), m.CharacterUrl()])
    character.modified.seconds, character.modified.nanos = -62135596800, 999999999
    response = m.SearchCharactersResponse(characters=[character, m.Character(id=2)], total=1439, next_page_token="t-2",
                                          favorite_ids=[2, -1, 2**63 - 1], attribution="Data provided by Marvel")
    response.freshness.source, response.freshness.is_stale = m.Freshness.SOURCE_GATEWAY, True
    response.freshness.age.seconds, response.freshness.age.nanos = -1, -500000000

    envelope = t.Request(service="marvel.v1.MarvelService", method="SearchCharacters",
                         payload=request.SerializeToString(), timeout_nano=-7,
                         metadata=[t.KeyValue(key="traceparent", value="00-é"), t.KeyValue(key="traceparent")])

    info = s.ErrorInfo(reason="STREAM_LIMIT", domain="marvel-rpc",
                       metadata=[s.ErrorInfo.MetadataEntry(key="maximum", value="128"),
                                 s.ErrorInfo.MetadataEntry(key="open", value="129")])
    retry = s.RetryInfo()
    retry.retry_delay.seconds, retry.retry_delay.nanos = 1, 500000000
    prefix = "type.googleapis.com/google.rpc."
    failure = t.Response(status=s.Status(code=8, message="later", details=[
        Any(type_url=prefix + "ErrorInfo", value=info.SerializeToString()),
        Any(type_url=prefix + "RetryInfo", value=retry.SerializeToString())]))

    for theirs, argument in zip([request, response, envelope, failure], sys.argv[1:], strict=True):
        ours = type(theirs).FromString(bytes.fromhex(argument))
        if ours != theirs:
            sys.exit(f"not the same: {ours}\\n{theirs}")
        print(theirs.SerializeToString(deterministic=True).hex())
    """
