/// Errors of responses whose status is not 200.
extension ReplyReader {
    /// Returns the error for a response whose status is not 200.
    ///
    /// - Parameters:
    ///   - response: The response. Its body is not trusted, and is shown only as far as `reason(in:)` allows.
    ///   - notFoundMeansCharacter: Whether the URL names a character, so that a 404 may mean that it does not exist.
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
            // A 404 of the routing layer repeats the whole URL with key and hash: no text of other bodies is used.
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

    /// Returns the gateway's own text if it is short, printable, and holds no credentials.
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

/// The body of an error. `code` is a name in one family of errors, and a number in the other.
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
        // A number in quotation marks counts as a number.
        let isNumber = fields.lenientInteger(.code) != nil
        code = isNumber ? .number : fields.lenient(String.self, .code).map(Code.name)
        text = fields.lenient(String.self, .message) ?? fields.lenient(String.self, .status)
    }
}
