import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import WireMessages

/// The wire, byte for byte, as Google's protobuf for Python writes it: a change here is a break of the wire.
struct GoldenBytesTests {
    private func expect<Message: WireMessage>(_ message: Message, is hex: String) throws {
        let bytes = ByteBuffer(hex: hex)
        #expect(message.encoded().hex == bytes.hex)
        #expect(try Message(decoding: bytes, limit: .response) == message)
    }

    private let evicted = Favorite(
        character: MarvelCharacter(id: 1, name: ""),
        savedAt: Timestamp(seconds: -1, nanoseconds: 1)
    )

    @Test func requestsOfTheService() throws {
        try expect(
            SearchCharactersRequest(
                query: "spi",
                match: .substring,
                pageSize: 20,
                pageToken: "tok",
                skip: -1,
                maxPages: 3,
                list: "team"
            ),
            is: "0a03 737069 1002 1814 2203 746f6b 28 ffffffffffffffffff01 3003 3a04 7465616d"
        )
        try expect(GetCharacterRequest(id: 1_009_610, list: "l"), is: "08 cacf3d 1201 6c")
        try expect(SuggestNamesRequest(query: "sp", limit: 50), is: "0a02 7370 1032")
        try expect(GetThumbnailRequest(id: 1_009_610, variant: "detail"), is: "08 cacf3d 1206 64657461696c")
        try expect(
            ToggleFavoriteRequest(list: "l", characterID: 1_009_610, requestID: "id", desired: .removed),
            is: "0a01 6c 10 cacf3d 1a02 6964 2002"
        )
        try expect(ListFavoritesRequest(list: "l"), is: "0a01 6c")
    }

    @Test func bytesOfAPage() throws {
        try expect(
            SearchCharactersResponse(
                characters: [MarvelCharacter(id: 1, name: "A"), MarvelCharacter(id: 2, name: "")],
                total: 300,
                nextPageToken: "t",
                favoriteIDs: [1, 1_009_610],
                attribution: "Data",
                freshness: Freshness(source: .cache, age: .seconds(90) + .nanoseconds(5), isStale: true)
            ),
            is: """
                0a05 0801 1201 41 0a02 0802 10 ac02 1a01 74 2204 01 cacf3d 2a04 44617461
                32 0a 0804 1204 085a 1005 1801
                """
        )
    }

    @Test func otherAnswersOfTheService() throws {
        try expect(
            GetCharacterResponse(
                character: MarvelCharacter(id: 1, name: ""),
                isFavorite: true,
                freshness: Freshness(source: .builtIn)
            ),
            is: "0a02 0801 1001 2202 0801"
        )
        try expect(
            SuggestNamesResponse(names: ["Thor", "", "é"], attribution: "x"),
            is: "0a04 54686f72 0a00 0a02 c3a9 1201 78"
        )
        try expect(
            SuggestNamesResponse(names: ["a", "b"], matches: [.prefix, .fuzzy]),
            is: "0a01 61 0a01 62 1a02 0003"
        )
        try expect(
            GetThumbnailResponse(
                data: ByteBuffer(bytes: [0x00, 0xFF]),
                mediaType: "image/png",
                variant: "detail",
                isPlaceholder: true,
                freshness: Freshness(source: .cache, isStale: true),
                attribution: "x"
            ),
            is: "0a02 00ff 1209 696d6167652f706e67 1a06 64657461696c 2001 2a04 0804 1801 3201 78"
        )
        try expect(
            ToggleFavoriteResponse(isFavorite: true, revision: 6, evicted: [evicted]),
            is: "0801 1006 1a13 0a02 0801 120d 08 ffffffffffffffffff01 1001"
        )
        try expect(
            ListFavoritesResponse(favorites: [evicted], revision: 2, capacity: 5, attribution: "x"),
            is: "0a13 0a02 0801 120d 08 ffffffffffffffffff01 1001 1002 1805 2201 78"
        )
        try expect(ListFavoritesResponse(age: .milliseconds(1_500)), is: "3208 0801 10 80cab5ee01")
    }

    @Test func bytesOfEdits() throws {
        try expect(
            CreateCharacterRequest(
                character: MarvelCharacter(id: 7, name: "A"),
                picture: PictureUpload(data: ByteBuffer(bytes: [0x00, 0xFF]), mediaType: "image/png"),
                requestID: "id"
            ),
            is: "0a05 0807 1201 41 120f 0a02 00ff 1209 696d6167652f706e67 1a02 6964"
        )
        try expect(
            CreateCharacterResponse(
                character: MarvelCharacter(id: 1_000_000_000, name: "A"),
                editRevision: 300,
                attribution: "x"
            ),
            is: "0a09 08 8094ebdc03 1201 41 10 ac02 1a01 78"
        )
        try expect(
            UpdateCharacterRequest(
                character: MarvelCharacter(id: 1_009_610, name: ""),
                updateMask: ["name", "urls"],
                // There, though nothing is in it.
                picture: PictureUpload(data: ByteBuffer()),
                editRevision: 300,
                requestID: "id"
            ),
            is: "0a04 08 cacf3d 120c 0a04 6e616d65 0a04 75726c73 1a00 20 ac02 2a02 6964"
        )
        try expect(
            UpdateCharacterResponse(character: MarvelCharacter(id: 1, name: ""), editRevision: -1, attribution: "x"),
            is: "0a02 0801 10 ffffffffffffffffff01 1a01 78"
        )
        try expect(
            GetCharacterResponse(character: MarvelCharacter(id: 1, name: ""), editRevision: 300),
            is: "0a02 0801 2200 28 ac02"
        )
    }

    @Test func eventsOfAWatcher() throws {
        try expect(WatchFavoritesRequest(list: "a", fromRevision: 300), is: "0a01 61 10 ac02")
        try expect(
            WatchFavoritesResponse(
                .snapshot(FavoritesList(favorites: [evicted], revision: 2, capacity: 5)),
                attribution: "x"
            ),
            is: "0a19 0a13 0a02 0801 120d 08 ffffffffffffffffff01 1001 1002 1805 2201 78"
        )
        try expect(
            WatchFavoritesResponse(.changed(FavoritesChange(revision: 6, saved: evicted, evicted: [evicted]))),
            is: """
                122c 0806 1213 0a02 0801 120d 08 ffffffffffffffffff01 1001
                2213 0a02 0801 120d 08 ffffffffffffffffff01 1001
                """
        )
        try expect(WatchFavoritesResponse(.progress(revision: 7)), is: "1a02 0807")
        try expect(WatchFavoritesRequest(place: "p"), is: "1a01 70")
        try expect(WatchFavoritesResponse(.progress(revision: 7), place: "p"), is: "1a02 0807 2a01 70")
        let list = FavoritesList(favorites: [], revision: 2, capacity: 5)
        try expect(WatchFavoritesResponse(.snapshot(list, reset: .historyChanged)), is: "0a06 1002 1805 2001")
        try expect(WatchFavoritesResponse(.snapshot(list, reset: .compacted)), is: "0a06 1002 1805 2002")
        try expect(
            WatchFavoritesResponse(.changed(FavoritesChange(revision: 6, cleared: [evicted], isDeletion: true))),
            is: "1219 0806 3213 0a02 0801 120d 08 ffffffffffffffffff01 1001 3801"
        )
        // The list that nobody changed: the snapshot is there, though nothing is in it.
        try expect(
            WatchFavoritesResponse(.snapshot(FavoritesList(favorites: [], revision: 0, capacity: 0))),
            is: "0a00"
        )
    }

    @Test func bytesOfACharacter() throws {
        let character = MarvelCharacter(
            id: 1_009_610,
            name: "Spider-Man",
            description: "é",
            modified: Timestamp(seconds: 1_390_000_000),
            thumbnail: Thumbnail(path: "emblem/1009610", fileExtension: "png"),
            comicCount: 300,
            urls: [CharacterURL(type: "wiki", url: "http://w")]
        )
        let bytes = ByteBuffer(
            hex: """
                08 cacf3d 120a 5370696465722d4d616e 1a02 c3a9 2206 08 80efe69605
                2a15 0a0e 656d626c656d2f31303039363130 1203 706e67 30 ac02
                5210 0a04 77696b69 1208 687474703a2f2f77
                """
        )
        #expect(character.encodedWireForm().hex == bytes.hex)
        #expect(try MarvelCharacter(decodingWireForm: bytes) == character)
    }

    @Test func bytesOfTheEnvelope() throws {
        var metadata = Metadata()
        metadata.append("k", "v")
        try expect(
            RequestEnvelope(
                service: "marvel.v1.MarvelService",
                method: "GetCharacter",
                payload: ByteBuffer(bytes: [0x08, 0x01]),
                timeoutNanoseconds: 10_000_000_000,
                metadata: metadata
            ),
            is: """
                0a17 6d617276656c2e76312e4d617276656c53657276696365 120c 476574436861726163746572 1a02 0801
                20 80c8afa025 2a06 0a01 6b 1201 76
                """
        )
        try expect(
            RequestEnvelope(service: "", method: "", timeoutNanoseconds: -1),
            is: "20 ffffffffffffffffff01"
        )
        try expect(ResponseEnvelope(payload: ByteBuffer(bytes: [0x08, 0x01])), is: "12 02 0801")
        try expect(
            ResponseEnvelope(status: RPCError(.notFound, "no", origin: .peer)),
            is: "0a06 0805 1202 6e6f"
        )
    }

    @Test func bytesOfTheExtensions() throws {
        try expect(
            HelloMessage(
                version: 1,
                software: "marvel/1",
                initialCredit: 3,
                maximumFrameLength: 4 * 1024 * 1024,
                maximumStreams: 128
            ),
            is: "0801 1208 6d617276656c2f31 1803 20 80808002 28 8001"
        )
        try expect(
            GoAwayMessage(lastStreamID: 7, reason: "DRAINING", retryAfter: .milliseconds(500)),
            is: "0807 1208 445241494e494e47 1a06 10 80cab5ee01"
        )
    }

    @Test func bytesOfHealth() throws {
        try expect(HealthCheckRequest(service: "x"), is: "0a01 78")
        try expect(HealthCheckResponse(status: .notServing), is: "0802")
        try expect(HealthCheckResponse(status: .unknown), is: "")
    }

    @Test(arguments: [
        (
            RPCError(
                .invalidArgument,
                "bad",
                details: [.errorInfo(ErrorInfo(reason: ErrorReason(rawValue: "R"), metadata: ["a": "1"]))],
                origin: .peer
            ),
            "0803 1203 626164 1a43 0a28 \(hex("type.googleapis.com/google.rpc.ErrorInfo"))"
                + "1217 0a01 52 120a 6d617276656c2d727063 1a06 0a01 61 1201 31"
        ),
        (
            RPCError(.unavailable, "", details: [.retryInfo(.seconds(2))], origin: .peer),
            "080e 1a30 0a28 \(hex("type.googleapis.com/google.rpc.RetryInfo")) 1204 0a02 0802"
        ),
        (
            RPCError(
                .invalidArgument,
                "",
                details: [.badRequest([FieldViolation(field: "f", description: "d")])],
                origin: .peer
            ),
            "0803 1a35 0a29 \(hex("type.googleapis.com/google.rpc.BadRequest")) 1208 0a06 0a01 66 1201 64"
        ),
        (
            RPCError(
                .resourceExhausted,
                "",
                details: [.quotaFailure([QuotaViolation(subject: "s", description: "d")])],
                origin: .peer
            ),
            "0808 1a37 0a2b \(hex("type.googleapis.com/google.rpc.QuotaFailure")) 1208 0a06 0a01 73 1201 64"
        ),
    ])
    func anErrorWithItsDetail(error: RPCError, expected: String) throws {
        let bytes = ByteBuffer(hex: expected)
        #expect(error.encodedStatus().hex == bytes.hex)
        #expect(try RPCError(decodingStatus: bytes, limit: .response) == error)
    }
}

private func hex(_ text: String) -> String { ByteBuffer(string: text).hex }
