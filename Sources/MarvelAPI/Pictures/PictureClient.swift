package import MarvelDomain

/// Fetches pictures from where a catalog says they are (MARVEL_API section 9): from the hosts that are allowed and from
/// no other, with no key and without following redirects.
package struct PictureClient: Sendable {
    private let hosts: PictureHosts
    private let transport: any HTTPTransport
    private var limits: HTTPLimits

    /// - Parameters:
    ///   - hosts: From where.
    ///   - transport: How to ask.
    ///   - limits: What one picture may cost; its bytes are held to `Picture.maximumByteCount` as well.
    package init(hosts: PictureHosts, transport: any HTTPTransport, limits: HTTPLimits = HTTPLimits()) {
        self.hosts = hosts
        self.transport = transport
        self.limits = limits
        self.limits.maximumBodyByteCount = min(limits.maximumBodyByteCount, Picture.maximumByteCount)
    }

    /// The picture at that place, in that variant.
    ///
    /// - Throws: `PictureError`; `.upstream(.cancelled)` when the task is cancelled.
    package func picture(at place: Thumbnail, _ variant: ImageVariant) async throws(PictureError) -> Picture {
        let address: GatewayURL
        do throws(GatewayURL.Refusal) {
            address = try GatewayURL(place.path)
        } catch {
            throw .none
        }
        guard hosts.allow(address) else { throw .hostNotAllowed }
        let name = variant == .full ? "" : "/" + variant.rawValue
        let request = HTTPRequest(
            url: "\(address.base)\(name).\(place.fileExtension)",
            headers: ["Accept": "image/png, image/jpeg, image/gif"],
            limits: limits
        )
        let response: HTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.get(request)
        } catch .tooLarge {
            throw .tooLarge
        } catch {
            throw .upstream(MarvelAPIError(error))
        }
        return try picture(in: response, isPlaceholder: place.isPlaceholder)
    }

    private func picture(in response: HTTPResponse, isPlaceholder: Bool) throws(PictureError) -> Picture {
        switch response.status {
        case 200: break
        // Hosts of files say 403 of what they do not have, if they do not list what they have.
        case 403, 404, 410: throw .none
        default:
            let delay = RetryAfter.delay(in: response.headers)
            throw .upstream(.unavailable(status: response.status, retryAfter: delay))
        }
        guard let type = PictureType(contents: response.body) else {
            throw .upstream(.invalidReply("it is no picture of a known kind"))
        }
        guard type.agrees(with: response.headers["Content-Type"]) else {
            throw .upstream(.invalidReply("it is another kind of picture than it says"))
        }
        return Picture(bytes: response.body, mediaType: type, isPlaceholder: isPlaceholder)
    }
}

extension PictureType {
    /// Whether a `Content-Type` says the same, or nothing in particular.
    fileprivate func agrees(with header: String?) -> Bool {
        let word = (header ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
        return ["", "application/octet-stream", rawValue].contains(word) || self == .jpeg && word == "image/jpg"
    }
}
