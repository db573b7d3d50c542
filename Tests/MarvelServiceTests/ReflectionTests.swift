import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ReflectionTests {
    private func service(offersReflection: Bool = true) -> CharacterService {
        CharacterService(
            catalog: TestCatalog.builtIn,
            store: MemoryFavoritesStore(),
            offersReflection: offersReflection
        )
    }

    /// Asks a question, as a transport does.
    private func answer(
        _ question: ServerReflectionRequest.MessageRequest?,
        version: String = "v1"
    ) throws -> ServerReflectionResponse {
        let found = service().services.first { $0.name == "grpc.reflection.\(version).ServerReflection" }
        let method = try #require(found?.methods.first)
        #expect(method.takesFurtherRequests)
        let payload = ServerReflectionRequest(host: "here", question).encoded()
        guard case .conversation(let conversation) = try method.start(IncomingCall(payload: payload)) else {
            throw RPCError(.internalError, "no conversation")
        }
        let message = try conversation.answer(to: payload)
        let response = try ServerReflectionResponse(decoding: message.encoded, limit: .response)
        #expect(response.validHost == "here")
        #expect(response.originalRequest?.messageRequest == question)
        return response
    }

    private func files(_ response: ServerReflectionResponse) -> [ByteBuffer]? {
        guard case .fileDescriptorResponse(let files) = response.messageResponse else { return nil }
        return files.fileDescriptorProto
    }

    @Test(arguments: ["v1", "v1alpha"]) func theServicesAreListed(_ version: String) throws {
        guard case .listServicesResponse(let list) = try answer(.listServices(""), version: version).messageResponse
        else {
            Issue.record("no list")
            return
        }
        #expect(
            list.service.map(\.name) == [
                "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "marvel.v1.MarvelService",
            ]
        )
    }

    @Test(arguments: [
        "marvel.v1.MarvelService", "marvel.v1.MarvelService.SearchCharacters", "marvel.v1.SearchCharactersRequest",
        "marvel.v1.WatchFavoritesResponse.Change", "marvel.v1.Match",
    ])
    func aSymbolIsFoundWithTheImportsOfItsFile(_ symbol: String) throws {
        let file = try #require(files(try answer(.fileContainingSymbol(symbol))))
        #expect(file.count == 4, "the file, and three of protobuf's own")
        #expect(file == files(try answer(.fileByFilename("marvel/v1/marvel.proto"))))
        let own = try #require(ProtoFiles.all.first { $0.name == "marvel/v1/marvel.proto" })
        #expect(file.first == ByteBuffer(bytes: own.descriptor))
    }

    @Test(arguments: [
        ServerReflectionRequest.MessageRequest.fileByFilename("other.proto"), .fileContainingSymbol("marvel.v1"),
        .fileContainingExtension(ExtensionRequest(containingType: "marvel.v1.Character", extensionNumber: 7)),
        .allExtensionNumbersOfType("marvel.v1.Character"),
    ])
    func theRestIsNotFound(_ question: ServerReflectionRequest.MessageRequest) throws {
        guard case .errorResponse(let error) = try answer(question).messageResponse else {
            Issue.record("no error")
            return
        }
        #expect(error.errorCode == StatusCode.notFound.rawValue)
    }

    @Test func nothingIsAskedWithoutAQuestion() throws {
        guard case .errorResponse(let error) = try answer(nil).messageResponse else {
            Issue.record("no error")
            return
        }
        #expect(error.errorCode == StatusCode.unimplemented.rawValue)
    }

    @Test func itCanBeTurnedOff() {
        let names = service(offersReflection: false).services.map(\.name)
        #expect(names == ["marvel.v1.MarvelService", "grpc.health.v1.Health"])
    }
}
