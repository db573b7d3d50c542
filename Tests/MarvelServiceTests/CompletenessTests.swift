import Catalog
import Foundation
import RPCCore
import SampleRequests
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// Every method of the `.proto` files has all its parts. `Protos/generate` refuses one without a description or a scope.
struct CompletenessTests {
    private static let methods = MarvelServiceMethods.all + HealthMethods.all + ServerReflectionMethods.all
    private static let service = CharacterService(catalog: BuiltInCatalog.catalog(), store: MemoryFavoritesStore())

    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private static func handler(of method: any DeclaredMethod) -> RPCMethod? {
        let service = service.services.first { $0.name == method.path.service }
        return service?.methods.first { $0.name == method.path.method }
    }

    @Test func everyMethodHasAHandler() {
        for method in Self.methods {
            #expect(Self.handler(of: method) != nil, "\(method.path) has no handler: add it in CharacterService.swift")
        }
    }

    /// The scopes of lists are not among them: handlers check those.
    @Test func everyHandlerHasTheScopeOfTheProtoFile() {
        for method in MarvelServiceMethods.all {
            let scopes = method.scope.flatMap { Scope($0) }.map { [$0] } ?? []
            let permissions = Self.handler(of: method)?.permissions
            #expect(permissions == Grants(scopes).permissions, "\(method.path): the .proto file names \(scopes)")
        }
    }

    /// The answers of such a method are withheld from a peer that reads none, and may be read by GET. A watch has no end.
    @Test func everyMethodThatReadsHasNoSideEffects() throws {
        for method in MarvelServiceMethods.all where method.scope?.contains(":read") == true {
            let handler = try #require(Self.handler(of: method))
            #expect(handler.hasNoSideEffects != handler.isWatch, "\(method.path)")
        }
    }

    @Test func everyMethodOfTheServiceHasAFunctionOfTheClient() throws {
        let sources = Self.repository.appending(path: "Sources/MarvelClient")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        let text = try files.map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
        for name in MarvelServiceMethods.all.map(\.path.method) {
            let property = name.prefix(1).lowercased() + name.dropFirst()
            let isCalled = text.contains("MarvelServiceMethods.\(property)")
            #expect(isCalled, "\(name) has no function of the client: add one to MarvelClient+*.swift")
        }
    }
}
