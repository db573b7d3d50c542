import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct EditCharacterTests {
    private static let hulk: Int64 = 1_009_351
    private let stage = EditStage()

    @Test func aCreatedCharacterIsFoundShownAndPicturedAtOnce() async throws {
        let answer = try await stage.create(
            CreateCharacterRequest(
                character: MarvelCharacter(id: 0, name: "Qwerty-Man", description: "Types.", comicCount: 2),
                picture: PictureUpload(data: EditStage.png)
            )
        )
        let character = try #require(answer.character)
        #expect(EditedCharacter.createdIDs.contains(character.id))
        #expect(answer.editRevision == 1 && !answer.attribution.isEmpty)
        #expect(try await stage.names("qwerty") == ["Qwerty-Man"])
        let shown: GetCharacterResponse = try await stage.service.call(
            "GetCharacter",
            GetCharacterRequest(id: character.id)
        )
        #expect(shown.character == character && shown.editRevision == 1)
        let picture: GetThumbnailResponse = try await stage.service.call(
            "GetThumbnail",
            GetThumbnailRequest(id: character.id, variant: "standard_large")
        )
        #expect(picture.data == EditStage.png && picture.mediaType == "image/png" && picture.variant.isEmpty)
    }

    @Test func anUpdateChangesTheFieldsOfItsMask() async throws {
        let answer = try await stage.update(
            UpdateCharacterRequest(
                character: MarvelCharacter(id: Self.hulk, name: "Green", description: "", comicCount: 5),
                updateMask: ["description", "comic_count"]
            )
        )
        #expect(answer.character?.name == "Hulk")
        #expect(answer.character?.description == "" && answer.character?.comicCount == 5)
        #expect(stage.edits.orders.map(\.edit) == [CharacterEdit(description: "", comicCount: 5)])
    }

    @Test func anUpdateWithoutAMaskChangesNonEmptyFields() async throws {
        let character = MarvelCharacter(id: Self.hulk, name: "Green", eventCount: 1)
        _ = try await stage.update(UpdateCharacterRequest(character: character))
        #expect(stage.edits.orders.map(\.edit) == [CharacterEdit(name: "Green", eventCount: 1)])
        #expect(stage.edits.orders.map(\.picture) == [nil])
    }

    @Test func aStarIsEveryFieldAndThePicture() async throws {
        let character = MarvelCharacter(id: Self.hulk, name: "Green")
        _ = try await stage.update(UpdateCharacterRequest(character: character, updateMask: ["*"]))
        let order = try #require(stage.edits.orders.first)
        #expect(
            order.edit
                == CharacterEdit(
                    name: "Green",
                    description: "",
                    comicCount: 0,
                    seriesCount: 0,
                    storyCount: 0,
                    eventCount: 0,
                    urls: []
                )
        )
        #expect(order.picture == .remove)
    }

    @Test func theRevisionAndTheRequestIDAreHandedOn() async throws {
        let request = UpdateCharacterRequest(
            character: MarvelCharacter(id: Self.hulk, name: "Green"),
            editRevision: 7,
            requestID: "r"
        )
        await #expect(throws: RPCError.self, "there is no such revision") { try await stage.update(request) }
        let order = try #require(stage.edits.orders.first)
        #expect(order.expectedRevision == 7 && order.request?.id == RequestID("r"))
        #expect(order.target == .existing(Self.hulk))
    }

    @Test func anEditMayRequireThatItIsTheFirst() async throws {
        let request = UpdateCharacterRequest(
            character: MarvelCharacter(id: Self.hulk, name: "Green"),
            editRevision: -1
        )
        _ = try await stage.update(request)
        #expect(stage.edits.orders.first?.expectedRevision == 0)
        let error = await #expect(throws: RPCError.self) { try await stage.update(request) }
        #expect(error?.reason == .editConflict)
    }

    @Test func allErrorsAreReportedTogether() async throws {
        let character = MarvelCharacter(
            id: -1,
            name: " ",
            description: "a\nb",
            modified: Timestamp(seconds: 1),
            thumbnail: Thumbnail(path: "x", fileExtension: "png"),
            comicCount: -1,
            urls: [CharacterURL(type: "", url: "ftp://x")]
        )
        let picture = PictureUpload(data: ByteBuffer(string: "<svg/>"))
        let create = CreateCharacterRequest(character: character, picture: picture, requestID: "\n")
        let error = try #require(await stage.service.error("CreateCharacter", create.encoded()))
        #expect(error.code == .invalidArgument && error.reason == .characterInvalid)
        #expect(
            error.violatedFields == [
                "character.name", "character.description", "character.comic_count", "character.urls[0].type",
                "character.urls[0].url", "character.modified", "character.thumbnail", "picture.data", "request_id",
                "character.id",
            ]
        )
        #expect(error.info?.metadata["violations"] == "10")

        let update = UpdateCharacterRequest(
            character: character,
            updateMask: ["name", "id", "Name"],
            picture: picture,
            editRevision: -2
        )
        let refusal = try #require(await stage.service.error("UpdateCharacter", update.encoded()))
        #expect(
            refusal.violatedFields == [
                "character.name", "character.modified", "character.thumbnail", "update_mask.paths[1]",
                "update_mask.paths[2]", "character.id", "edit_revision", "update_mask",
            ]
        )
        #expect(stage.edits.orders.isEmpty)
    }

    @Test(arguments: [
        (CreateCharacterRequest(character: nil), ["character.name"]),
        (CreateCharacterRequest(character: MarvelCharacter(id: 1, name: "")), ["character.name"]),
        (
            CreateCharacterRequest(
                character: MarvelCharacter(id: 0, name: "x"),
                picture: PictureUpload(data: EditStage.png, mediaType: "image/gif")
            ), ["picture.media_type"]
        ),
    ])
    func aCharacterThatCannotBeCreated(request: CreateCharacterRequest, fields: [String]) async {
        let error = await stage.service.error("CreateCharacter", request.encoded())
        #expect(error?.violatedFields == fields)
    }

    @Test(arguments: [
        (UpdateCharacterRequest(character: nil, updateMask: ["picture"]), ["character.id"]),
        (UpdateCharacterRequest(character: MarvelCharacter(id: 1, name: "")), ["update_mask"]),
        (
            UpdateCharacterRequest(character: MarvelCharacter(id: 1, name: ""), updateMask: ["name"]),
            ["character.name"]
        ),
        (
            UpdateCharacterRequest(
                character: MarvelCharacter(id: 1, name: ""),
                updateMask: ["urls"],
                picture: PictureUpload(data: EditStage.png)
            ), ["update_mask"]
        ),
    ])
    func anUpdateThatCannotBeMade(request: UpdateCharacterRequest, fields: [String]) async {
        let error = await stage.service.error("UpdateCharacter", request.encoded())
        #expect(error?.violatedFields == fields)
    }

    @Test func aPictureOfAMebibyteIsTakenAndOneByteMoreIsNot() async throws {
        var data = EditStage.png
        data.writeRepeatingByte(0, count: 1_048_576 - data.readableBytes)
        let character = MarvelCharacter(id: 0, name: "x", description: String(repeating: "é", count: 5_000))
        _ = try await stage.create(CreateCharacterRequest(character: character, picture: PictureUpload(data: data)))
        data.writeInteger(UInt8(0))
        let request = CreateCharacterRequest(character: character, picture: PictureUpload(data: data))
        let error = await stage.service.error("CreateCharacter", request.encoded())
        #expect(error?.violatedFields == ["picture.data"])
        let method = stage.service.services.flatMap(\.methods).first { $0.name == "CreateCharacter" }
        #expect(method.map { $0.maximumRequestBytes > request.encoded().readableBytes } == true)
    }

    /// A letter can have any number of marks, so letters alone bound nothing.
    @Test func namesOfAnySizeMakeNoSearchFail() async throws {
        let long = "Spider" + String(repeating: "\u{301}", count: 400_000)
        let create = CreateCharacterRequest(character: MarvelCharacter(id: 0, name: long))
        let refused = await stage.service.error("CreateCharacter", create.encoded())
        #expect(refused?.violatedFields == ["character.name"])
        // A long text that an older program accepted is shown cut.
        for _ in 1...12 {
            stage.edits.writeFromOutside(EditOrder(.new(nil), CharacterEdit(name: long, description: long)))
        }
        await stage.curation.catchUp()
        let pages: [SearchCharactersResponse] = try await stage.service.search(
            SearchCharactersRequest(query: "spider", pageSize: 100)
        )
        #expect(pages.reduce(0) { $0 + $1.characters.count } >= 12)
        #expect(pages.allSatisfy { $0.encoded().readableBytes < 4 << 20 })
    }

    @Test func missingCharactersAreNotUpdatedAndExistingOnesNotCreated() async {
        let update = UpdateCharacterRequest(character: MarvelCharacter(id: 5, name: "x"))
        let unknown = await stage.service.error("UpdateCharacter", update.encoded())
        #expect(unknown?.code == .notFound && unknown?.reason == .characterNotFound)
        let create = CreateCharacterRequest(character: MarvelCharacter(id: Self.hulk, name: "x"))
        let known = await stage.service.error("CreateCharacter", create.encoded())
        #expect(known?.code == .alreadyExists && known?.reason == .characterExists)
    }

    private static let update = UpdateCharacterRequest(character: MarvelCharacter(id: hulk, name: "x")).encoded()

    @Test func nobodyMayEditUnlessTheOperatorAllowsIt() async {
        let stage = EditStage(allowsEdits: false)
        for method in ["CreateCharacter", "UpdateCharacter"] {
            let error = await stage.service.error(method, Self.update)
            #expect(error?.code == .permissionDenied && error?.reason == .editsNotAllowed)
        }
        #expect(stage.edits.orders.isEmpty)
    }

    @Test func charactersOfAGatewayCannotBeEdited() async {
        let service = CharacterService(catalog: TestCatalog(), store: stage.store)
        let error = await service.error("UpdateCharacter", Self.update)
        #expect(error?.code == .failedPrecondition && error?.reason == .editsUnsupported)
    }

    @Test(arguments: [
        (StoreError.characterExists(1), StatusCode.alreadyExists, ErrorReason.characterExists),
        (.editConflict(current: 2), .aborted, .editConflict),
        (.requestIDReused, .invalidArgument, .requestIDReused),
        (.editLimitReached(maximum: 3), .resourceExhausted, .editLimit),
        (.notWritable("the disk is full"), .unavailable, .editsNotWritable),
        (.outcomeUnknown("a sync failed"), .unavailable, .editsOutcomeUnknown),
        (.notReadable("x"), .unavailable, .editsUnreadable),
    ])
    func aFailureOfTheStoreIsAStatus(failure: StoreError, code: StatusCode, reason: ErrorReason) async {
        stage.edits.fail(with: failure)
        let error = await stage.service.error("UpdateCharacter", Self.update)
        #expect(error?.code == code && error?.reason == reason)
    }
}
