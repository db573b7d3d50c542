import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct GetThumbnailTests {
    private static let spiderMan: Int64 = 1_009_610
    private let pictures = TestPictures()

    private func service(_ catalog: any CharacterCatalog) -> CharacterService {
        CharacterService(
            catalog: catalog,
            store: MemoryFavoritesStore(),
            pictures: pictures,
            keeper: PictureKeeper(
                favorites: pictures,
                cache: pictures,
                source: pictures,
                date: { TestPictures.date }
            )
        )
    }

    private func thumbnail(_ service: CharacterService, _ variant: String = "") async throws -> GetThumbnailResponse {
        try await service.call("GetThumbnail", GetThumbnailRequest(id: Self.spiderMan, variant: variant))
    }

    // The emblems' own tests draw every variant.
    @Test(arguments: [.portraitSmall, .landscapeMedium, .standardFantastic] as [ImageVariant])
    func aCharacterOfTheBuiltInCatalogHasItsEmblem(_ variant: ImageVariant) async throws {
        let service = CharacterService(catalog: TestCatalog.builtIn, store: MemoryFavoritesStore())
        let response = try await thumbnail(service, variant.rawValue)
        #expect(response.data.readableBytesView.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(response.mediaType == "image/png")
        #expect(response.variant == variant.rawValue)
        #expect(response.freshness == Freshness(source: .builtIn))
        #expect(response.attribution == BuiltInCatalog.attribution)
        #expect(!response.isPlaceholder)
        // From now on it is in memory.
        #expect(try await thumbnail(service, variant.rawValue) == response)
    }

    @Test func aMissingCharacterIsNotFound() async throws {
        for catalog in [TestCatalog.builtIn as any CharacterCatalog, TestCatalog()] {
            let error = await service(catalog).error("GetThumbnail", GetThumbnailRequest(id: 5).encoded())
            #expect(error?.code == .notFound)
            #expect(error?.reason == .characterNotFound)
        }
    }

    @Test(arguments: [PictureError.none, .tooLarge, .hostNotAllowed, .unusable("it is empty")])
    func aMissingPictureIsNotFoundDespiteAPinnedOne(_ failure: PictureError) async throws {
        pictures.change { state in
            state.failure = failure
            state.pinned[Self.spiderMan] = TestPictures.picture(1)
        }
        let request = GetThumbnailRequest(id: Self.spiderMan)
        let error = await service(TestCatalog()).error("GetThumbnail", request.encoded())
        #expect(error?.code == .notFound)
        #expect(error?.reason == .thumbnailNotFound)
    }

    /// Either the catalog or the picture's host is away.
    @Test(arguments: [true, false])
    func theKeptPictureAnswersWhenTheSourceIsDown(_ isCatalogDown: Bool) async throws {
        let catalog = TestCatalog(failure: isCatalogDown ? .upstream(.timedOut) : nil)
        pictures.change { state in
            state.failure = .upstream(.unreachable("test"))
            state.pinned[Self.spiderMan] = TestPictures.picture(1)
        }
        let response = try await thumbnail(service(catalog), "portrait_xlarge")
        #expect(Array(response.data.readableBytesView) == TestPictures.picture(1).bytes)
        #expect(response.mediaType == "image/gif")
        #expect(response.variant == "standard_large")
        #expect(response.freshness == Freshness(source: .cache, age: .seconds(60), isStale: true))
        #expect(response.attribution == catalog.attribution)
    }

    /// The gateway knows the character, the host has the picture: the text names the one that failed.
    @Test(arguments: [(CatalogError.upstream(.timedOut), "the gateway"), (nil, "the picture host")])
    func theSourcesFailureIsReportedWithoutACachedAnswer(_ failure: CatalogError?, _ source: String) async throws {
        pictures.change { $0.failure = .upstream(.timedOut) }
        let request = GetThumbnailRequest(id: Self.spiderMan)
        let error = await service(TestCatalog(failure: failure)).error("GetThumbnail", request.encoded())
        #expect((error?.code, error?.reason) == (.unavailable, .upstreamUnavailable))
        #expect(error?.message == "\(source) did not answer in time")
    }
}
