import ChildProcesses
import FakeChannel
import Foundation
import MarvelClient
import NIOCore
import Testing
import WireMessages

@testable import marvel

/// The commands that read or write the file of a picture.
struct PictureFileTests {
    private let server = FakeServer([
        "CreateCharacter": [.message(CreateCharacterResponse(character: peter, editRevision: 3))],
        "GetThumbnail": [.message(GetThumbnailResponse(data: ByteBuffer(string: "GIF89a"), mediaType: "image/gif"))],
    ])

    @Test func aPictureReplacesAFile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "something longer")
        let run = await Run("thumbnail 1009610 --output \(file)", server)
        #expect(run.status == .done, "\(run.errors)")
        let data = try Data(contentsOf: URL(filePath: file))
        #expect(data == Data("GIF89a".utf8))
    }

    @Test func aPictureIsSentWithANewCharacter() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "a picture")
        let run = await Run("create --name Nova --picture \(file)", server)
        #expect(run.status == .done, "\(run.errors)")
        let request = try server.request(CreateCharacterRequest.self, of: "CreateCharacter")
        #expect(request?.picture == PictureUpload(data: ByteBuffer(string: "a picture")))
    }

    @Test func aPictureThatCannotBeReadIsReported() async {
        let run = await Run("edit 5 --picture /nonexistent/picture", server)
        #expect(run.status == .failed)
        #expect(run.errors.contains("/nonexistent/picture"))
        #expect(server.calls.isEmpty)
    }
}
