internal import Catalog
package import MarvelDomain
internal import NIOCore
package import RPCCore
package import WireMessages

/// The requests with which tests call every method.
package struct SampleRequests: Sendable {
    /// A valid request whose fields are as large as they may be.
    package let largest: any WireMessage
    /// A valid request that needs the scope of its method and no other.
    package let plain: any WireMessage

    private init(_ request: some WireMessage) { self.init(largest: request, plain: request) }

    private init(largest: some WireMessage, plain: some WireMessage) {
        (self.largest, self.plain) = (largest, plain)
    }

    // MARK: Rows

    /// The list of the requests that read or change one.
    package static let list = String(repeating: "l", count: ListName.maximumLength)

    /// The requests by method. Each method has a row.
    package static let all: [MethodPath: SampleRequests] = [
        MarvelServiceMethods.searchCharacters.path: SampleRequests(
            largest: SearchCharactersRequest(query: query, match: .fuzzy, pageSize: 100, maxPages: 1, list: list),
            plain: SearchCharactersRequest(query: "spider", maxPages: 1)
        ),
        MarvelServiceMethods.getCharacter.path: SampleRequests(
            largest: GetCharacterRequest(id: hulk, list: list),
            plain: GetCharacterRequest(id: hulk)
        ),
        MarvelServiceMethods.getCatalogInfo.path: SampleRequests(GetCatalogInfoRequest()),
        MarvelServiceMethods.suggestNames.path: SampleRequests(SuggestNamesRequest(query: query, limit: 50)),
        MarvelServiceMethods.getThumbnail.path: SampleRequests(
            GetThumbnailRequest(id: hulk, variant: "landscape_incredible")
        ),
        MarvelServiceMethods.toggleFavorite.path: SampleRequests(
            ToggleFavoriteRequest(list: list, characterID: hulk, requestID: requestID)
        ),
        MarvelServiceMethods.listFavorites.path: SampleRequests(ListFavoritesRequest(list: list)),
        MarvelServiceMethods.deleteList.path: SampleRequests(
            DeleteListRequest(list: list, requestID: requestID.uppercased())
        ),
        MarvelServiceMethods.listLists.path: SampleRequests(ListListsRequest(prefix: list, pageSize: 1_000)),
        MarvelServiceMethods.watchFavorites.path: SampleRequests(WatchFavoritesRequest(list: list)),
        MarvelServiceMethods.createCharacter.path: SampleRequests(
            largest: CreateCharacterRequest(character: character(id: 0), picture: picture),
            plain: CreateCharacterRequest(character: MarvelCharacter(id: 0, name: "A"))
        ),
        MarvelServiceMethods.updateCharacter.path: SampleRequests(
            largest: UpdateCharacterRequest(character: character(id: hulk), updateMask: ["*"], picture: picture),
            plain: UpdateCharacterRequest(character: MarvelCharacter(id: hulk, name: "A"))
        ),
        HealthMethods.check.path: SampleRequests(health),
        HealthMethods.watch.path: SampleRequests(health),
        HealthMethods.list.path: SampleRequests(HealthListRequest()),
        ServerReflectionMethods.serverReflectionInfo.path: SampleRequests(reflection),
        // The older version, which has no `.proto` file.
        MethodPath(service: "grpc.reflection.v1alpha.ServerReflection", method: "ServerReflectionInfo"):
            SampleRequests(reflection),
    ]

    private static let hulk: Int64 = 1_009_351
    private static let query = String(repeating: "a", count: 100)
    private static let requestID = String(repeating: "r", count: RequestID.maximumLength)
    private static let health = HealthCheckRequest(service: MarvelServiceMethods.serviceName)
    private static let reflection = ServerReflectionRequest(.fileContainingSymbol(MarvelServiceMethods.serviceName))

    /// Returns a character whose texts are as long as they may be.
    package static func character(id: Int64) -> MarvelCharacter {
        MarvelCharacter(
            id: id,
            name: String(repeating: "漢", count: 200),
            description: String(repeating: "漢", count: CharacterLimits.descriptionBytes / 3),
            urls: (0..<6).map { _ in
                let url = "https://x/" + String(repeating: "u", count: CharacterLimits.urlBytes / 6 - 32 - 10 - 8)
                return CharacterURL(type: String(repeating: "t", count: EditRules.maximumURLTypeBytes), url: url)
            }
        )
    }

    private static let picture: PictureUpload = {
        var data = ByteBuffer(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        data.writeRepeatingByte(1, count: EditRules.maximumPictureBytes - data.readableBytes)
        return PictureUpload(data: data)
    }()
}
