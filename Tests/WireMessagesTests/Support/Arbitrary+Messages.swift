import MarvelDomain
import NIOCore
import RPCCore

@testable import WireMessages

extension RequestEnvelope: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            service: random.text(),
            method: random.text(),
            payload: random.payload(),
            timeoutNanoseconds: random.integer()
        )
        for _ in 0..<Int.random(in: 0...5, using: &random) { metadata.append(random.text(), random.text()) }
    }
}

extension ResponseEnvelope: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(status: random.perhaps(), payload: random.payload())
    }
}

extension HelloMessage: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            version: random.integer(),
            software: random.text(),
            initialCredit: random.integer(),
            maximumFrameLength: random.integer(),
            maximumStreams: random.integer()
        )
    }
}

extension GoAwayMessage: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(lastStreamID: random.integer(), reason: random.text(), retryAfter: random.perhaps())
    }
}

extension RPCError: Arbitrary {
    /// An error as a peer sends it; never OK, which is no error.
    init(from random: inout SplitMix64) {
        let code = StatusCode.allCases.dropFirst().randomElement(using: &random) ?? .unknown
        self.init(code, random.text(), details: random.several(), origin: .peer)
    }
}

extension ErrorDetail: Arbitrary {
    init(from random: inout SplitMix64) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: self = .errorInfo(ErrorInfo(from: &random))
        case 1: self = .badRequest(random.several())
        case 2: self = .retryInfo(Duration(from: &random))
        case 3: self = .quotaFailure(random.several())
        default: self = .other(typeURL: "type.example/\(random.text())", value: random.payload().bytes)
        }
    }
}

extension ErrorInfo: Arbitrary {
    init(from random: inout SplitMix64) {
        let keys: [String] = random.several()
        let metadata = Dictionary(keys.map { ($0, random.text()) }) { _, last in last }
        self.init(reason: ErrorReason(rawValue: random.text()), domain: random.text(), metadata: metadata)
    }
}

extension FieldViolation: Arbitrary {
    init(from random: inout SplitMix64) { self.init(field: random.text(), description: random.text()) }
}

extension QuotaViolation: Arbitrary {
    init(from random: inout SplitMix64) { self.init(subject: random.text(), description: random.text()) }
}

extension SearchCharactersRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            query: random.text(),
            match: MatchValue(from: &random),
            pageSize: random.integer(),
            pageToken: random.text(),
            skip: random.integer(),
            maxPages: random.integer(),
            list: random.text(),
            favoritesAtLeast: random.text()
        )
    }
}

extension SearchCharactersResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            characters: random.several(),
            total: random.integer(),
            nextPageToken: random.text(),
            favoriteIDs: (0..<Int.random(in: 0...5, using: &random)).map { _ in random.integer() },
            attribution: random.text(),
            freshness: Freshness(from: &random)
        )
    }
}

extension GetCharacterRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(id: random.integer(), list: random.text()) }
}

extension GetCharacterResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            character: random.perhaps(),
            isFavorite: random.chance(2),
            attribution: random.text(),
            freshness: Freshness(from: &random),
            editRevision: random.integer()
        )
    }
}

extension GetCatalogInfoRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init() }
}

extension GetCatalogInfoResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            kind: Kind(rawValue: random.integer()),
            characterCount: random.integer(),
            matches: random.several(),
            attribution: random.text(),
            loadedAt: random.perhaps(),
            serverVersion: random.text(),
            history: random.text()
        )
    }
}

extension SuggestNamesRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(query: random.text(), limit: random.integer()) }
}

extension MatchValue: Arbitrary {
    init(from random: inout SplitMix64) { self.init(rawValue: random.integer()) }
}

extension SuggestNamesResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(names: random.several(), attribution: random.text(), matches: random.several())
    }
}

extension CreateCharacterRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(character: random.perhaps(), picture: random.perhaps(), requestID: random.text())
    }
}

extension CreateCharacterResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(character: random.perhaps(), editRevision: random.integer(), attribution: random.text())
    }
}

extension UpdateCharacterRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            character: random.perhaps(),
            updateMask: random.perhaps(),
            picture: random.perhaps(),
            editRevision: random.integer(),
            requestID: random.text()
        )
    }
}

extension UpdateCharacterResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(character: random.perhaps(), editRevision: random.integer(), attribution: random.text())
    }
}

extension FieldMask: Arbitrary {
    init(from random: inout SplitMix64) { self.init(random.several()) }
}

extension PictureUpload: Arbitrary {
    init(from random: inout SplitMix64) { self.init(data: random.payload(), mediaType: random.text()) }
}

extension GetThumbnailRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(id: random.integer(), variant: random.text()) }
}

extension GetThumbnailResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            data: random.payload(),
            mediaType: random.text(),
            variant: random.text(),
            isPlaceholder: random.chance(2),
            freshness: Freshness(from: &random),
            attribution: random.text()
        )
    }
}

extension ToggleFavoriteRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            list: random.text(),
            characterID: random.integer(),
            requestID: random.text(),
            desired: DesiredValue(rawValue: random.integer())
        )
    }
}

extension ToggleFavoriteResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            isFavorite: random.chance(2),
            revision: random.integer(),
            evicted: random.several(),
            place: random.text()
        )
    }
}

extension ListFavoritesRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(list: random.text(), atLeast: random.text())
    }
}

extension ListFavoritesResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            favorites: random.several(),
            revision: random.integer(),
            capacity: random.integer(),
            attribution: random.text(),
            place: random.text(),
            age: random.perhaps()
        )
    }
}

extension DeleteListRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(list: random.text(), requestID: random.text()) }
}

extension DeleteListResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(revision: random.integer(), place: random.text(), existed: random.chance(2))
    }
}

extension ListListsRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(prefix: random.text(), pageSize: random.integer(), pageToken: random.text())
    }
}

extension ListListsResponse: Arbitrary {
    init(from random: inout SplitMix64) { self.init(lists: random.several(), nextPageToken: random.text()) }
}

extension NamedList: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(name: random.text(), revision: random.integer(), favoriteCount: random.integer())
    }
}

extension WatchFavoritesRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(list: random.text(), fromRevision: random.integer(), place: random.text())
    }
}

extension WatchFavoritesResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        let event: Event? =
            switch Int.random(in: 0...4, using: &random) {
            case 0: .snapshot(FavoritesList(from: &random), reset: random.chance(2) ? .historyChanged : .compacted)
            case 3: .snapshot(FavoritesList(from: &random))
            case 1: .changed(FavoritesChange(from: &random))
            case 2: .progress(revision: random.integer())
            default: nil
            }
        self.init(event, attribution: random.text(), place: random.text())
    }
}

extension FavoritesList: Arbitrary {
    init(from random: inout SplitMix64) {
        let capacity: Int32 = random.integer()
        self.init(favorites: random.several(), revision: random.integer(), capacity: Int(capacity))
    }
}

extension FavoritesChange: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(
            revision: random.integer(),
            saved: random.perhaps(),
            removed: random.perhaps(),
            evicted: random.several(),
            cleared: random.several(),
            isDeletion: random.chance(2)
        )
    }
}

extension HealthCheckRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init(service: random.text()) }
}

extension HealthCheckResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(status: HealthCheckResponse.ServingStatus(rawValue: random.integer()))
    }
}

extension HealthListRequest: Arbitrary {
    init(from random: inout SplitMix64) { self.init() }
}

extension HealthListResponse: Arbitrary {
    /// At most one entry: a map has no order.
    init(from random: inout SplitMix64) {
        let entry = StatusesEntry(key: random.text(), value: HealthCheckResponse(from: &random))
        self.init(statuses: random.chance(3) ? [] : [entry])
    }
}

extension ServerReflectionRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        let questions: [MessageRequest?] = [
            nil, .fileByFilename(random.text()), .fileContainingSymbol(random.text()),
            .fileContainingExtension(ExtensionRequest(from: &random)), .allExtensionNumbersOfType(random.text()),
            .listServices(random.text()),
        ]
        self.init(host: random.text(), questions.randomElement(using: &random) ?? nil)
    }
}

extension ExtensionRequest: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(containingType: random.text(), extensionNumber: random.integer())
    }
}

extension ServerReflectionResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        let answers: [MessageResponse?] = [
            nil, .fileDescriptorResponse(FileDescriptorResponse(from: &random)),
            .allExtensionNumbersResponse(ExtensionNumberResponse(from: &random)),
            .listServicesResponse(ListServiceResponse(from: &random)), .errorResponse(ErrorResponse(from: &random)),
        ]
        self.init(
            validHost: random.text(),
            originalRequest: random.perhaps(),
            answers.randomElement(using: &random) ?? nil
        )
    }
}

extension FileDescriptorResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(fileDescriptorProto: (0..<Int.random(in: 0...3, using: &random)).map { _ in random.payload() })
    }
}

extension ExtensionNumberResponse: Arbitrary {
    init(from random: inout SplitMix64) {
        self.init(baseTypeName: random.text(), extensionNumber: [random.integer(), random.integer()])
    }
}

extension ListServiceResponse: Arbitrary {
    init(from random: inout SplitMix64) { self.init(service: random.several()) }
}

extension ServiceResponse: Arbitrary {
    init(from random: inout SplitMix64) { self.init(name: random.text()) }
}

extension ErrorResponse: Arbitrary {
    init(from random: inout SplitMix64) { self.init(errorCode: random.integer(), errorMessage: random.text()) }
}
