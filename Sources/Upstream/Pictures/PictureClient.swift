package import Catalog
package import MarvelDomain

/// Fetches from allowed hosts only, without a key, and without following redirects.
package struct PictureClient: Sendable {
    private let hosts: PictureHosts
    private let transport: any HTTPFetcher
    private var limits = HTTPResponseLimits.standard

    package init(hosts: PictureHosts, transport: any HTTPFetcher) {
        self.hosts = hosts
        self.transport = transport
        limits.maximumBodyByteCount = Picture.maximumByteCount
    }

    package func address(of place: Thumbnail, _ variant: ImageVariant) throws(PictureError) -> PictureAddress {
        let address: GatewayURL
        do throws(GatewayURL.Refusal) {
            address = try GatewayURL(place.path)
        } catch {
            throw .none
        }
        guard hosts.allow(address) else { throw .hostNotAllowed }
        let name = variant == .full ? "" : "/" + variant.rawValue
        return PictureAddress(
            url: "\(address.base)\(name).\(place.fileExtension)",
            host: address.authority,
            isPlaceholder: place.isPlaceholder
        )
    }

    /// Nil if the cached picture with this entity tag is still valid. Throws `.upstream(.cancelled)` when the task is
    /// cancelled.
    package func picture(
        at address: PictureAddress,
        ifNoneMatch etag: String?
    ) async throws(PictureError) -> TaggedPicture? {
        var request = HTTPRequest(
            url: address.url,
            headers: ["Accept": "image/png, image/jpeg, image/gif"],
            limits: limits
        )
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        let response: HTTPResponse
        do throws(SourceError) {
            response = try await transport.get(request)
        } catch .tooLarge {
            throw .tooLarge
        } catch {
            throw .upstream(error)
        }
        guard etag == nil || response.status != 304 else { return nil }
        let etag = response.headers["ETag"].flatMap { EntityTag.isSendable($0) ? $0 : nil }
        return (try picture(in: response, isPlaceholder: address.isPlaceholder), etag)
    }

    private func picture(in response: HTTPResponse, isPlaceholder: Bool) throws(PictureError) -> Picture {
        switch response.status {
        case 200: break
        // File hosts without listings respond with 403 for a missing file.
        case 403, 404, 410: throw .none
        // Transient: too early, too many requests, or a failing server.
        case 304, 408, 425, 429, 500...:
            throw .upstream(.unavailable(status: response.status, retryAfter: response.retryDelay))
        // A redirect, or a permanent failure of this address.
        default: throw .unusable("its host answered with HTTP status \(response.status)")
        }
        guard !response.body.isEmpty else { throw .unusable("it is empty") }
        guard let type = PictureType(contents: response.body) else {
            throw .unusable("it is not a PNG, JPEG or GIF picture")
        }
        guard type.agrees(with: response.headers["Content-Type"]) else {
            throw .unusable("its format does not match its Content-Type")
        }
        return Picture(bytes: response.body, mediaType: type, isPlaceholder: isPlaceholder)
    }
}

extension PictureType {
    fileprivate func agrees(with header: String?) -> Bool {
        let word = (header ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
        return ["", "application/octet-stream", rawValue].contains(word) || self == .jpeg && word == "image/jpg"
    }
}

package struct PictureAddress: Sendable, Hashable {
    package let url: String
    package let host: String
    package let isPlaceholder: Bool
}

/// A catalog names the address of each picture. Without this list, it could direct requests into the server's network.
package struct PictureHosts: Sendable, Hashable {
    package static let marvelHost = "i.annihil.us"

    private let authorities: Set<String>

    /// The gateway's host at its own port and at the default ports, and the operator's hosts.
    package init(of gateway: GatewayURL?, further: [PictureHost] = []) {
        let own = gateway.map { [$0.host, $0.authority] } ?? []
        authorities = Set([PictureHosts.marvelHost] + own + further.map(\.authority))
    }

    func allow(_ address: GatewayURL) -> Bool { authorities.contains(address.authority) }
}

/// `HOST`, for the default ports of http and https, or `HOST:PORT`.
package struct PictureHost: Sendable, Hashable {
    let authority: String

    package init?(_ text: String) {
        // Port 80 is kept, because it is not the default port of https.
        guard !text.contains("/"), let url = try? GatewayURL("https://" + text) else { return nil }
        authority = url.authority
    }
}

/// May evict any picture. If it fails, it logs the failure and acts like an empty cache. Writes return immediately.
package protocol CachedPictures: Sendable {
    /// Marks the picture as used.
    func picture(at url: String) async -> CachedPicture?

    func keep(_ picture: CachedPicture, at url: String)

    /// The source still had the cached picture at that time.
    func confirmPicture(at url: String, _ moment: Moment)

    func forgetPicture(at url: String)
}

package typealias TaggedPicture = (picture: Picture, etag: String?)

package struct CachedPicture: Sendable, Hashable {
    package var picture: Picture
    package var etag: String?
    package var fetchedAt: Moment

    package init(_ tagged: TaggedPicture, fetchedAt: Moment) {
        (picture, etag) = tagged
        self.fetchedAt = fetchedAt
    }
}
