import ChildProcesses
import Foundation
import Testing
import WireMessages

/// The OpenAPI document, by tools that are not of this project.
@Suite(.timeLimit(.minutes(10)))
struct OpenAPITests {
    private func curl(_ arguments: String...) async throws -> String {
        let curl = try await succeeded(RunningProgram.run("/usr/bin/curl", ["--silent", "--show-error"] + arguments))
        return curl.output
    }

    /// It is served also without the page.
    @Test func theDocumentIsServedAndValid() async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0", "--set", "page=off"]) { stand in
            let address = try await stand.server.listeningAddress("http")
            for path in ["/", "/client.js"] { #expect(try await page(path, at: address).status == "404") }
            let url = "http://\(address)/openapi.json"
            let file = stand.folder.path("openapi.json")
            let format = "%{http_code} %{content_type} %header{cache-control} %header{etag}"
            let facts = try await curl("--output", file, "--write-out", format, url).split(separator: " ")
            #expect(facts.prefix(3) == ["200", "application/json", "no-cache"])
            let known = "If-None-Match: \(facts.last ?? "")"
            #expect(try await curl("--header", known, "--write-out", "%{http_code}", url) == "304")
            let validator = try await RunningProgram.run(Peers.tool("openapi-spec-validator"), [file])
            #expect(validator.status == 0, "\(validator.output)\(validator.errors)")
            let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
            let paths = try #require((document as? [String: Any])?["paths"] as? [String: [String: Any]])
            // Pictures have a path of their own.
            let methods = MarvelServiceMethods.all + HealthMethods.all
            #expect(paths.count == methods.count + 1)
            #expect(paths.filter { $0.value["get"] != nil }.count == methods.filter(\.hasNoSideEffects).count + 1)
        }
    }

    /// schemathesis makes requests of the document, and judges the answers by it. The seed is fixed.
    @Test func theServerAnswersAsTheDocumentSays() async throws {
        try await Stand.run(serverArguments: ["--http", "127.0.0.1:0", "--allow-edits"]) { stand in
            let url = "http://\(try await stand.server.listeningAddress("http"))/openapi.json"
            let run = try await RunningProgram.run(
                Peers.tool("schemathesis"),
                ["--config-file", Peers.file("schemathesis.toml"), "run", url],
                environment: ["HYPOTHESIS_STORAGE_DIRECTORY": stand.folder.path("hypothesis")]
            )
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }
}
