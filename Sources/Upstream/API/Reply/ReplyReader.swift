package import MarvelDomain

/// Parses a page completely or refuses it; skips single unreadable characters.
package struct ReplyReader {
    private let keys: MarvelKeys

    package init(keys: MarvelKeys) { self.keys = keys }

    /// Throws `.invalidReply` if this is not the requested page; the error of a status other than 200.
    package func page(_ response: HTTPResponse, offset: Int, limit: Int) throws(SourceError) -> CharacterResults {
        guard response.status == 200 else { throw refusal(response, notFoundMeansCharacter: false) }
        let wrapper = try wrapper(response)
        // A gateway that ignores the offset would return the first page again and again.
        if let answered = wrapper.data.offset, answered != offset {
            throw .invalidReply("the page starts at \(answered) instead of \(offset)")
        }
        // The next page returns entries beyond the limit again.
        let entries = wrapper.data.results.prefix(limit)
        return CharacterResults(
            characters: entries.compactMap { $0?.character(hiding: keys) },
            offset: offset,
            receivedCount: entries.count,
            total: total(wrapper.data, offset: offset, count: entries.count, limit: limit),
            attribution: wrapper.attribution,
            etag: response.headers["ETag"] ?? wrapper.etag
        )
    }

    /// Throws `.notFound` for an unknown character, `.invalidReply` if the response is about another one.
    package func character(_ response: HTTPResponse, id: Int64) throws(SourceError) -> CharacterResults {
        guard response.status == 200 else { throw refusal(response, notFoundMeansCharacter: true) }
        let wrapper = try wrapper(response)
        guard let entry = wrapper.data.results.first else { throw .notFound }
        guard let character = entry?.character(hiding: keys), character.id == id else {
            throw .invalidReply("it does not contain the requested character")
        }
        return CharacterResults(
            characters: [character],
            offset: 0,
            receivedCount: 1,
            total: 1,
            attribution: wrapper.attribution,
            etag: response.headers["ETag"] ?? wrapper.etag
        )
    }

    /// Without a number from the gateway, only a partial page proves the end.
    private func total(_ data: CharacterDataWrapper.Container, offset: Int, count: Int, limit: Int) -> Int {
        let end = offset + count
        guard let told = data.total else { return count == limit ? end + 1 : end }
        return count == 0 ? told : max(told, end)
    }

    private func wrapper(_ response: HTTPResponse) throws(SourceError) -> CharacterDataWrapper {
        do throws(JSONObject.Refusal) {
            return try JSONObject.decode(CharacterDataWrapper.self, from: response.body)
        } catch {
            throw .invalidReply(error.description)
        }
    }

    /// The body is untrusted, and is shown only as `reason(in:)` allows.
    private func refusal(_ response: HTTPResponse, notFoundMeansCharacter: Bool) -> SourceError {
        let body = try? JSONObject.decode(ErrorBody.self, from: response.body)
        switch (response.status, body?.code) {
        case (401, _), (403, _):
            return .credentials(credentialsProblem(response.status == 401 ? body?.text : nil))
        case (409, .name("MissingParameter")):
            return .credentials("it found no key, timestamp or hash in the request")
        case (409, _):
            return .rejected(reason(in: body))
        case (429, _):
            return .quota(retryAfter: response.retryDelay)
        case (404, .number) where notFoundMeansCharacter:
            return .notFound
        default:
            // A 404 of the routing layer repeats the whole URL with key and hash: never show other bodies.
            return .unavailable(status: response.status, retryAfter: response.retryDelay)
        }
    }

    private func credentialsProblem(_ text: String?) -> String {
        switch text {
        case "The passed API key is invalid.": "the public key is unknown"
        case "That hash, timestamp and key combination is invalid.":
            "the private key does not belong to the public key"
        default: "the keys must not use this service"
        }
    }

    /// Nil unless the text is short, printable, and without credentials.
    private func reason(in body: ErrorBody?) -> String {
        guard let text = body?.text.map(PlainText.line), (1...200).contains(text.count) else {
            return "no reason given"
        }
        let lowercased = text.lowercased()
        guard !keys.occur(in: text), !["apikey", "hash"].contains(where: lowercased.contains) else {
            return "its reason repeats the credentials and is not shown"
        }
        return text
    }
}

/// `code` is a name in one family of errors, and a number in the other.
private struct ErrorBody: Decodable {
    enum Code: Hashable {
        case name(String)
        case number
    }

    private enum Key: String, CodingKey {
        case code, message, status
    }

    let code: Code?
    let text: String?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        // A quoted number counts as a number.
        let isNumber = fields.lenientInteger(.code) != nil
        code = isNumber ? .number : fields.lenient(String.self, .code).map(Code.name)
        text = fields.lenient(String.self, .message) ?? fields.lenient(String.self, .status)
    }
}
