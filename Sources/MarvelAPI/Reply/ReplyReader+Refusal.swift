/// What an answer means whose status is not 200 (MARVEL_API sections 2, 3 and 6).
extension ReplyReader {
    /// - Parameters:
    ///   - response: The answer; its body is trusted for nothing and shown only where `reason(in:)` lets it.
    ///   - notFoundMeansCharacter: Whether the URL names a character, so that a 404 can be about it.
    /// - Returns: The error to throw.
    func refusal(_ response: HTTPResponse, notFoundMeansCharacter: Bool) -> MarvelAPIError {
        let body = try? JSONObject.decode(ErrorBody.self, from: response.body)
        switch (response.status, body?.code) {
        case (401, _):
            return .credentials(credentialsProblem(in: body))
        case (403, _):
            return .credentials(.notAllowed)
        case (409, .name("MissingParameter")):
            return .credentials(.missing)
        case (409, _):
            return .rejected(reason(in: body))
        case (429, _):
            return .quota(retryAfter: RetryAfter.delay(in: response.headers))
        case (404, .number) where notFoundMeansCharacter:
            return .notFound
        default:
            // The routing layer's 404 repeats the whole URL, keys and hash included: nothing of any other body is used.
            return .unavailable(status: response.status, retryAfter: RetryAfter.delay(in: response.headers))
        }
    }

    private func credentialsProblem(in body: ErrorBody?) -> MarvelAPIError.CredentialsProblem {
        switch body?.text {
        case "The passed API key is invalid.": .unknownKey
        case "That hash, timestamp and key combination is invalid.": .wrongSignature
        default: .notAllowed
        }
    }

    /// The gateway's own words, if they are short, printable, and hold nothing of the credentials.
    private func reason(in body: ErrorBody?) -> String {
        guard let text = body?.text.map(PlainText.line), (1...200).contains(text.count) else {
            return "it gives no reason"
        }
        let lowercased = text.lowercased()
        let secrets = ["apikey", "hash", keys.publicKey, keys.privateKey]
        guard !secrets.contains(where: { lowercased.contains($0.lowercased()) }) else {
            return "its reason repeats the credentials and is not shown"
        }
        return text
    }
}

/// The body of an error in either family: `code` is a name in one and a number in the other.
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
        // A number in quotation marks is one.
        let isNumber = fields.lenientInteger(.code) != nil
        code = isNumber ? .number : fields.lenient(String.self, .code).map(Code.name)
        text = fields.lenient(String.self, .message) ?? fields.lenient(String.self, .status)
    }
}
