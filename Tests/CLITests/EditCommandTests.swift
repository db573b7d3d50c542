import FakeChannel
import Foundation
import MarvelClient
import NIOCore
import Testing
import WireMessages

@testable import marvel

struct EditCommandTests {
    private let server = FakeServer([
        "CreateCharacter": [
            .message(CreateCharacterResponse(character: peter, editRevision: 3, attribution: attribution))
        ],
        "UpdateCharacter": [
            .message(UpdateCharacterResponse(character: peter, editRevision: 4, attribution: attribution))
        ],
    ])

    @Test func createsACharacterWithEveryOption() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("a picture".utf8).write(to: URL(fileURLWithPath: file))
        let run = await Run(
            "create --name Nova --description Bright --comics 1 --series 2 --stories 3 --events 4 --id 77 "
                + "--url wiki=https://w/?a=b --url detail=http://d --picture \(file) --color never",
            server
        )
        #expect(run.status == .done)
        #expect(run.output == "Created Spider-Man (Peter Parker) (id 1009610). Its edit revision is 3.\n")
        #expect(run.errors == "Data provided by Marvel.\n")
        let request = try #require(try server.request(CreateCharacterRequest.self, of: "CreateCharacter"))
        #expect(
            request.character
                == MarvelCharacter(
                    id: 77,
                    name: "Nova",
                    description: "Bright",
                    comicCount: 1,
                    seriesCount: 2,
                    storyCount: 3,
                    eventCount: 4,
                    urls: [
                        CharacterURL(type: "wiki", url: "https://w/?a=b"),
                        CharacterURL(type: "detail", url: "http://d"),
                    ]
                )
        )
        #expect(request.picture == PictureUpload(data: ByteBuffer(string: "a picture")))
        #expect(!request.requestID.isEmpty)
    }

    @Test func editsOnlyTheNamedFields() async throws {
        let run = await Run("edit 1009610 --description Green --events 0 --revision 3 --color never", server)
        #expect(run.output.hasPrefix("Edited Spider-Man (Peter Parker) (id 1009610). Its edit revision is 4.\n"))
        let request = try #require(try server.request(UpdateCharacterRequest.self, of: "UpdateCharacter"))
        #expect(request.character == MarvelCharacter(id: 1_009_610, name: "", description: "Green"))
        #expect(request.updateMask == ["description", "event_count"])
        #expect(request.editRevision == 3 && request.picture == nil)
    }

    @Test func removesPagesAndThePicture() async throws {
        _ = await Run("edit 1009610 --remove-urls --remove-picture", server)
        let request = try #require(try server.request(UpdateCharacterRequest.self, of: "UpdateCharacter"))
        #expect(request.updateMask == ["urls", "picture"])
    }

    @Test(arguments: [
        "create", "create --description x", "create --name x --url wiki", "create --name x --comics many",
        "create --name x --id 0", "edit", "edit 1009610", "edit x --name y", "edit 5 --url wiki=http://x --remove-urls",
        "edit 5 --picture x --remove-picture", "edit 5 --name x --revision 0",
    ])
    func contradictoryOptionsAreRefusedBeforeAnyCall(_ line: String) async {
        let run = await Run(line, server)
        #expect(run.status == .usage, "\(run.errors)")
        #expect(server.calls.isEmpty)
    }

    @Test func aPictureThatCannotBeReadIsReported() async {
        let run = await Run("edit 5 --picture /nonexistent/picture", server)
        #expect(run.status == .failed)
        #expect(run.errors.contains("/nonexistent/picture"))
        #expect(server.calls.isEmpty)
    }

    @Test func anUnknownOutcomeSaysWhereToLook() async {
        let failure = RPCError(.deadlineExceeded, "too late")
        let run = await Run("edit 5 --name x", FakeServer(["UpdateCharacter": [.failure(failure)]]))
        #expect(run.errors.contains("see `marvel show`"))
    }

    @Test func anEditedCharacterIsMarked() async {
        let response = GetCharacterResponse(character: peter, editRevision: 12)
        let run = await Run("show 1009610 --color never", FakeServer(["GetCharacter": [.message(response)]]))
        #expect(run.output.contains("\nedited\trevision 12\n"))
    }
}
