import Catalog
import MarvelDomain
import Testing

@testable import Upstream

private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00]
private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

private func hosts(_ gateway: String = "http://gateway.example:6163", _ further: String...) throws -> PictureHosts {
    PictureHosts(of: try GatewayURL(gateway), further: try further.map { try #require(PictureHost($0)) })
}

private func fetch(
    _ transport: FakeFetcher,
    at path: String = "https://i.annihil.us/u/abc",
    _ variant: ImageVariant = .standardLarge,
    hosts allowed: PictureHosts? = nil
) async throws -> Picture {
    let client = PictureClient(hosts: try allowed ?? hosts(), transport: transport)
    let address = try client.address(of: Thumbnail(path: path, fileExtension: "jpg"), variant)
    return try #require(try await client.picture(at: address, ifNoneMatch: nil)).picture
}

private func answer(_ bytes: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]) -> FakeFetcher {
    FakeFetcher(.success(HTTPResponse(status: status, headers: headers, body: bytes)))
}

@Suite struct PictureClientTests {
    @Test(arguments: [(ImageVariant.standardLarge, "abc/standard_large.jpg"), (.full, "abc.jpg")])
    func aVariantIsPartOfTheAddress(_ variant: ImageVariant, _ end: String) async throws {
        let transport = answer(jpeg)
        let picture = try await fetch(transport, variant)
        #expect(picture == Picture(bytes: jpeg, mediaType: .jpeg))
        #expect(transport.requests.map(\.url) == ["https://i.annihil.us/u/" + end])
        #expect(transport.requests.first?.limits.maximumBodyByteCount == 3 * 1024 * 1024)
    }

    @Test(arguments: ["/image_not_available", "/4c002e0305708"])
    func theSourcesPlaceholdersAreKnown(_ name: String) async throws {
        #expect(try await fetch(answer(jpeg), at: "https://i.annihil.us/u" + name).isPlaceholder)
    }

    @Test(arguments: [
        "https://elsewhere.example/a", "http://127.0.0.1/a", "http://127.0.0.1:22/a", "http://[::1]/a",
        "http://gateway.example:22/a", "https://i.annihil.us:8443/a", "https://i.annihil.us.elsewhere.example/a",
        "http://169.254.169.254/latest",
    ])
    func nothingIsFetchedFromOtherHosts(_ path: String) async throws {
        let transport = answer(png)
        await #expect(throws: PictureError.hostNotAllowed) { _ = try await fetch(transport, at: path) }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        "file:///etc/passwd", "gopher://i.annihil.us/a", "https://i.annihil.us@127.0.0.1/a", "emblem/5", "",
        "https://i.annihil.us/../a", "https://i.annihil.us/a?b", "https://i.annihil.us/a#b", "https://i.annihil.us/a b",
        "https://127.0.0.1\\@i.annihil.us/a",
    ])
    func anUnusualAddressHasNoPicture(_ path: String) async throws {
        let transport = answer(png)
        await #expect(throws: PictureError.none) { _ = try await fetch(transport, at: path) }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        "http://gateway.example:6163/emblem/1", "http://gateway.example/a", "https://gateway.example/a",
        "https://more.example/a", "http://more.example/a", "https://other.example:8443/a", "https://I.ANNIHIL.US/a",
    ])
    func theGatewaysOwnHostAndTheOperatorsAreAllowed(_ path: String) async throws {
        let allowed = try hosts("http://gateway.example:6163", "more.example", "other.example:8443")
        #expect(try await fetch(answer(png), at: path, hosts: allowed).mediaType == .png)
    }

    @Test(arguments: ["", "a/b", "http://a", "a:0", "a:x", "user@a", "a?b"])
    func anInvalidHostIsRefused(_ text: String) {
        #expect(PictureHost(text) == nil)
    }

    @Test(arguments: [
        (SourceError.tooLarge(maximumByteCount: 5), PictureError.tooLarge),
        (.timedOut, .upstream(.timedOut)), (.cancelled, .upstream(.cancelled)),
    ])
    func aFailureOfTheTransportIsReported(_ failure: SourceError, _ error: PictureError) async throws {
        await #expect(throws: error) { _ = try await fetch(FakeFetcher(.failure(failure))) }
    }

    @Test(arguments: [403, 404, 410])
    func aMissingPictureIsNil(_ status: Int) async throws {
        await #expect(throws: PictureError.none) { _ = try await fetch(answer(png, status: status)) }
    }

    /// A redirect is followed nowhere, and asked for once. A failure of the host may pass.
    @Test(arguments: [301, 302, 307, 204, 400, 401, 451, 408, 425, 429, 500, 502, 503, 504])
    func anAnswerThatIsNotAPictureIsIgnored(_ status: Int) async throws {
        let transport = answer(png, status: status, headers: ["Location": "http://127.0.0.1/"])
        let mayPass = status >= 500 || [408, 425, 429].contains(status)
        let failure = PictureError.upstream(.unavailable(status: status, retryAfter: nil))
        await #expect(throws: mayPass ? failure : .unusable("its host answered with HTTP status \(status)")) {
            _ = try await fetch(transport)
        }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        Array("<html>".utf8), [], Array("<svg/>".utf8), [0x89, 0x50], Array("RIFF    WEBP".utf8),
    ])
    func anInvalidPictureIsRefused(_ bytes: [UInt8]) async throws {
        let error = await #expect(throws: PictureError.self) {
            _ = try await fetch(answer(bytes, headers: ["Content-Type": "image/png"]))
        }
        #expect(error?.isTransient == false, "it is the same the next time")
    }

    @Test(arguments: [
        ("image/png", true), ("IMAGE/PNG; q=1", true), ("application/octet-stream", true), ("", true),
        ("image/jpeg", false), ("text/html", false),
    ])
    func theMediaTypeMustBeThatOfTheContents(_ header: String, _ isTaken: Bool) async throws {
        let picture = try? await fetch(answer(png, headers: ["Content-Type": header]))
        #expect((picture != nil) == isTaken)
    }
}
