import MarvelDomain
import Testing
import Upstream

/// Every error body of the Marvel API.
struct RefusalTests {
    private static let missing = SourceError.credentials("it found no key, timestamp or hash in the request")
    private static let unknownKey = SourceError.credentials("the public key is unknown")
    private static let wrongSignature = SourceError.credentials("the private key does not belong to the public key")
    private static let notAllowed = SourceError.credentials("the keys must not use this service")

    private func search(_ transport: FakeFetcher) async throws -> SourceError {
        let client = try client(transport)
        return try await failure { try await client.characters(nameStartsWith: "sp", offset: 0, limit: 10) }
    }

    private func one(_ transport: FakeFetcher) async throws -> SourceError {
        let client = try client(transport)
        return try await failure { try await client.character(id: 7) }
    }

    @Test(
        arguments: [
            (409, #"{"code":"MissingParameter","message":"You must provide a user key."}"#, missing),
            (409, #"{"code":"MissingParameter","message":"You must provide a hash."}"#, missing),
            (409, #"{"code":"MissingParameter","message":"You must provide a timestamp."}"#, missing),
            (
                401, #"{"code":"InvalidCredentials","message":"The passed API key is invalid."}"#,
                unknownKey
            ),
            (
                401, #"{"code":"InvalidCredentials","message":"That hash, timestamp and key combination is invalid."}"#,
                wrongSignature
            ),
            (
                401, #"{"code":"InvalidCredentials","message":"This user is not allowed to use that service."}"#,
                notAllowed
            ),
            (
                401, #"{"code":"InvalidCredentials","message":"The passed referer is invalid."}"#,
                notAllowed
            ),
            (
                403, #"{"code":"NotAuthorized","message":"You are not authorized to access that resource."}"#,
                notAllowed
            ),
            (401, "", notAllowed), (403, "<html>", notAllowed),
        ] as [(Int, String, SourceError)]
    )
    func credentialErrorsNameTheCause(status: Int, body: String, expected: SourceError) async throws {
        #expect(try await search(FakeFetcher(status: status, body)) == expected)
        #expect(try await one(FakeFetcher(status: status, body)) == expected)
    }

    @Test(arguments: ["You may not request more than 100 items.", "We don't recognize the parameter foo"])
    func parameterErrorsKeepTheGatewaysReason(text: String) async throws {
        #expect(try await search(FakeFetcher(status: 409, #"{"code":409,"status":"\#(text)"}"#)) == .rejected(text))
    }

    @Test(arguments: [
        ("", "no reason given"), ("{}", "no reason given"), ("<html>", "no reason given"),
        (#"{"code":409,"status":"no apikey=x"}"#, "its reason repeats the credentials and is not shown"),
        (#"{"code":409,"status":"bad ABCD here"}"#, "its reason repeats the credentials and is not shown"),
        (#"{"code":409,"status":"red \u001b[31m"}"#, "red [31m"),
    ])
    func onlyAPrintableReasonIsShown(body: String, reason: String) async throws {
        #expect(try await search(FakeFetcher(status: 409, body)) == .rejected(reason))
    }

    @Test func aReasonWithoutEndIsNotShown() async throws {
        let text = String(repeating: "x", count: 100_000)
        let error = try await search(FakeFetcher(status: 409, #"{"code":409,"status":"\#(text)"}"#))
        #expect(error == .rejected("no reason given"))
    }

    @Test(
        arguments: [
            ([:], nil), (["Retry-After": "120"], .seconds(120)), (["retry-after": "0"], .seconds(0)),
            (["Retry-After": "soon"], nil), (["Retry-After": "-5"], nil), (["Retry-After": ""], nil),
            (["Retry-After": "99999999999999999999"], .seconds(86_400)),
            (["Retry-After": "9999999"], .seconds(86_400)), (["Retry-After": "86399"], .seconds(86_399)),
            (
                ["Retry-After": "Wed, 08 May 2034 17:57:08 GMT", "Date": "Wed, 08 May 2024 17:57:08 GMT"],
                .seconds(86_400)
            ),
            (["Retry-After": "Wed, 08 May 2024 17:58:08 GMT", "Date": "Wed, 08 May 2024 17:57:08 GMT"], .seconds(60)),
            (["Retry-After": "Wed, 08 May 2024 17:56:08 GMT", "Date": "Wed, 08 May 2024 17:57:08 GMT"], .seconds(0)),
            (["Retry-After": "Wed, 08 May 2024 17:58:08 GMT"], nil),
            (["Retry-After": "Wed, 99 May 2024 17:58:08 GMT", "Date": "Wed, 08 May 2024 17:57:08 GMT"], nil),
        ] as [(HTTPHeaders, Duration?)]
    )
    func anExhaustedQuotaSaysWhenItIsBackIfItCan(headers: HTTPHeaders, delay: Duration?) async throws {
        let body =
            #"{"code":"RequestThrottled","message":"You have exceeded your rate limit.  Please try again later."}"#
        #expect(try await search(FakeFetcher(status: 429, headers: headers, body)) == .quota(retryAfter: delay))
        let unavailable = SourceError.unavailable(status: 503, retryAfter: delay)
        #expect(try await search(FakeFetcher(status: 503, headers: headers, "")) == unavailable)
    }

    @Test(arguments: ["409", #""409""#, #""InvalidParameter""#, "null"], ["status", "message"])
    func aReasonIsReadFromEitherFamilysKey(code: String, key: String) async throws {
        let body = #"{"code":\#(code),"\#(key)":"limit is odd"}"#
        #expect(try await search(FakeFetcher(status: 409, body)) == .rejected("limit is odd"))
    }

    @Test(arguments: ["404", "404.0", #""404""#], ["status", "message"])
    func anUnknownIdIsNotFound(code: String, key: String) async throws {
        let body = #"{"code":\#(code),"\#(key)":"We couldn't find that character"}"#
        #expect(try await one(FakeFetcher(status: 404, body)) == .notFound)
        #expect(try await search(FakeFetcher(status: 404, body)) == .unavailable(status: 404, retryAfter: nil))
    }

    @Test(arguments: [
        #"{"code":"ResourceNotFound","message":"/v1/public/x?ts=1&apikey=1234&hash=ffd275 does not exist"}"#,
        "<html>Not found</html>", "",
    ])
    func aHostThatDoesNotServeTheAPIIsUnavailable(body: String) async throws {
        for error in [
            try await one(FakeFetcher(status: 404, body)), try await search(FakeFetcher(status: 404, body)),
        ] {
            #expect(error == .unavailable(status: 404, retryAfter: nil))
            #expect(!"\(error)".contains("1234"))
        }
    }

    @Test(arguments: [
        (500, "<html><h1>Internal Server Error</h1></html>"), (502, ""), (503, #"{"code":503,"status":"x"}"#),
        (504, "{"), (405, #"{"code":"MethodNotAllowedError","message":"POST is not allowed"}"#), (301, ""), (302, ""),
        (307, ""), (204, ""), (304, ""), (418, ""), (599, ""), (206, ""),
    ])
    func everyOtherStatusDecidesByItself(status: Int, body: String) async throws {
        #expect(try await search(FakeFetcher(status: status, body)) == .unavailable(status: status, retryAfter: nil))
        #expect(try await one(FakeFetcher(status: status, body)) == .unavailable(status: status, retryAfter: nil))
    }
}
