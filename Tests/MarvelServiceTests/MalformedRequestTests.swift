import Catalog
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import MarvelService

@Suite struct MalformedRequestTests {
    private let service = EditStage().service

    private static let served = [
        "SearchCharacters", "GetCharacter", "GetCatalogInfo", "SuggestNames", "GetThumbnail", "ToggleFavorite",
        "ListFavorites", "DeleteList", "ListLists", "WatchFavorites", "CreateCharacter", "UpdateCharacter",
    ]

    /// A field that says it has more bytes than there are.
    private static let truncated = ByteBuffer(bytes: [0x0A, 0x7F, 0x61])

    @Test(arguments: served)
    func aPayloadThatIsNotAMessageIsRefused(_ method: String) async {
        let error = await service.error(method, Self.truncated)
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == .requestMalformed)
    }

    /// Text of a field by its number; protobuf calls it wire type 2.
    private static func text(_ bytes: [UInt8], field: UInt8) -> ByteBuffer {
        ByteBuffer(bytes: [field << 3 | 2, UInt8(bytes.count)] + bytes)
    }

    @Test(arguments: [
        ("SearchCharacters", 1, "query"), ("SearchCharacters", 4, "page_token"), ("SearchCharacters", 7, "list"),
        ("GetCharacter", 2, "list"), ("SuggestNames", 1, "query"), ("GetThumbnail", 2, "variant"),
        ("ToggleFavorite", 1, "list"), ("ToggleFavorite", 3, "request_id"),
        ("ListFavorites", 1, "list"), ("DeleteList", 1, "list"), ("DeleteList", 2, "request_id"),
        ("ListLists", 1, "prefix"), ("ListLists", 3, "page_token"), ("WatchFavorites", 1, "list"),
        ("CreateCharacter", 3, "request_id"),
        ("UpdateCharacter", 5, "request_id"),
    ])
    func invalidTextIsRefusedWithItsField(_ method: String, _ number: UInt8, _ field: String) async {
        for bytes: [UInt8] in [[0x61, 0x00, 0x62], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            let error = await service.error(method, Self.text(bytes, field: number))
            #expect(error?.code == .invalidArgument)
            #expect(error?.reason == .textInvalid)
            #expect(error?.violatedField == field)
        }
    }

    @Test func noMethodOfTheProtoFilesIsForgotten() {
        let symbols = ProtoFiles.all.flatMap(\.symbols)
        // The older version of reflection is served without a file.
        for service in service.services where !service.name.contains("alpha") {
            let declared = symbols.filter { $0.hasPrefix(service.name + ".") }
            #expect(!declared.isEmpty)
            #expect(Set(declared).isSubset(of: service.methods.map { "\(service.name).\($0.name)" }))
        }
    }

    @Test func theServicesListTheMethodsOfTheirProtos() {
        let methods = service.services.flatMap { service in
            service.methods.map { "\(service.name)/\($0.name) \($0.kind)" }
        }
        #expect(
            methods == [
                "marvel.v1.MarvelService/SearchCharacters serverStreaming",
                "marvel.v1.MarvelService/GetCharacter unary", "marvel.v1.MarvelService/GetCatalogInfo unary",
                "marvel.v1.MarvelService/SuggestNames unary", "marvel.v1.MarvelService/GetThumbnail unary",
                "marvel.v1.MarvelService/ToggleFavorite unary", "marvel.v1.MarvelService/ListFavorites unary",
                "marvel.v1.MarvelService/DeleteList unary", "marvel.v1.MarvelService/ListLists unary",
                "marvel.v1.MarvelService/WatchFavorites serverStreaming",
                "marvel.v1.MarvelService/CreateCharacter unary", "marvel.v1.MarvelService/UpdateCharacter unary",
                "grpc.health.v1.Health/Check unary", "grpc.health.v1.Health/Watch serverStreaming",
                "grpc.health.v1.Health/List unary",
                "grpc.reflection.v1.ServerReflection/ServerReflectionInfo bidirectional",
                "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo bidirectional",
            ]
        )
    }
}
