import HTTPFraming
import MarvelDomain
import Synchronization
import Testing

@testable import GatewayHTTP

@Suite struct GatewayTests {
    // MARK: Routes and the order of checks

    @Test(arguments: [
        "/", "/v1/public", "/v1/public/comics/1/series", "/v1/public/characters/1/characters", "/v2/public/characters",
        "/v1/public/characters/1/comics/2",
        "/v1//characters",
        "/emblem/99.png", "/emblem/1.jpg", "/emblem/x.png", "/emblem/1/.png", "/emblem/1/none.png", "/emblem/1", "*",
        "",
        "/v1/public/foo?ts=1&apikey=%22",
    ])
    func anUnknownRouteIsRepeatedExactlyBeforeAnyOtherCheck(target: String) throws {
        let reply = try GatewayFixture().gateway().reply(target)
        #expect(reply.status == 404)
        #expect(reply.text == #"{"code":"ResourceNotFound","message":"\#(target) does not exist"}"#)
        #expect(reply["ETag"] == nil)
    }

    @Test(arguments: ["HEAD", "POST", "PUT", "DELETE", "PATCH", "get"])
    func everyOtherMethodIsRefusedBeforeTheCredentials(method: String) throws {
        let reply = try GatewayFixture().gateway().reply("/v1/public/characters", method: method)
        #expect(reply.status == 405)
        #expect(reply.text == #"{"code":"MethodNotAllowedError","message":"\#(method) is not allowed"}"#)
        #expect(reply["Allow"] == "GET, OPTIONS")
        #expect(try GatewayFixture().gateway().reply("/nowhere", method: method).status == 404)
    }

    @Test(arguments: [
        ("", 409, #"{"code":"MissingParameter","message":"You must provide a user key."}"#),
        ("apiKey=1234&ts=1&hash=x", 409, #"{"code":"MissingParameter","message":"You must provide a user key."}"#),
        ("apikey=1234", 409, #"{"code":"MissingParameter","message":"You must provide a hash."}"#),
        ("apikey=1234&hash=x", 409, #"{"code":"MissingParameter","message":"You must provide a timestamp."}"#),
        (
            "apikey=x&hash=x&ts=1&limit=0", 401,
            #"{"code":"InvalidCredentials","message":"The passed API key is invalid."}"#
        ),
        (
            "apikey=1234&hash=x&ts=1&limit=0", 401,
            #"{"code":"InvalidCredentials","message":"That hash, timestamp and key combination is invalid."}"#
        ),
        (
            "\(Vector.credentials)&limit=0", 409,
            #"{"code":409,"status":"You must pass an integer limit greater than 0."}"#
        ),
    ])
    func checksComeInTheOrderOfTheContract(query: String, status: Int, body: String) throws {
        let reply = try GatewayFixture().gateway().reply("/v1/public/characters?\(query)")
        #expect(reply.status == status)
        #expect(reply.text == body)
        #expect(reply["Content-Type"] == "application/json; charset=utf-8")
        #expect(reply["Access-Control-Allow-Origin"] == "*")
        #expect(reply["ETag"] == nil)
    }

    @Test func aRecordedAnswerHasItsRecordedLength() throws {
        #expect(try GatewayFixture().gateway().reply("/v1/public/characters").body.count == 68)
        #expect(GatewayError.throttled.body.count == 99)
        #expect(
            String(decoding: GatewayError.invalidReferer.body, as: UTF8.self)
                == #"{"code":"InvalidCredentials","message":"The passed referer is invalid."}"#
        )
    }

    @Test(arguments: [
        ("limit=101", "You may not request more than 100 items."),
        ("name=", "name cannot be blank if it is set"),
        ("nameStartsWith=0", "nameStartsWith cannot be blank if it is set"),
        ("foo=1", "We don't recognize the parameter foo"),
        ("orderBy=typ", "typ is not a valid ordering parameter."),
        ("comics=1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 issue ids."),
        ("series=1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 series ids."),
        ("events=1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 event ids."),
        ("stories=1,2,3,4,5,6,7,8,9,10,11", "You may not submit more than 10 story ids."),
        ("comics=0", "You must pass at least one valid issue id if you set the issue filter."),
        ("series=0", "You must pass at least one valid series if you set the series filter."),
        ("events=0", "You must pass at least one valid event id if you set the event filter."),
        ("stories=0", "You must pass at least one valid story id if you set the story filter."),
        ("modifiedSince=x", "You must pass a valid date for modifiedSince"),
    ])
    func aParameterErrorHasTheOriginalsWords(parameters: String, text: String) throws {
        let reply = try GatewayFixture().gateway().search(parameters)
        #expect(reply.status == 409)
        #expect(reply.text == #"{"code":409,"status":"\#(text)"}"#)
    }

    // MARK: Characters

    @Test func theListIsServedWithItsDefaults() throws {
        let page = try GatewayFixture().gateway().search().page()
        #expect(page.ids == [3, 2, 1])
        #expect((page.offset, page.limit, page.total, page.count) == (0, 20, 3, 3))
    }

    @Test func anOffsetBeyondTheEndIsEchoedWithAnEmptyPage() throws {
        let reply = try GatewayFixture().gateway().search("offset=1000&limit=1")
        let page = try reply.page()
        #expect(reply.status == 200)
        #expect((page.offset, page.limit, page.total, page.count, page.ids) == (1000, 1, 3, 0, []))
    }

    @Test(arguments: [
        "/v1/public/characters/", "/v1/public//characters", "//v1/public/characters//",
        "http://gateway.marvel.com/v1/public/characters",
        "http://gateway.marvel.com:80/v1/public/characters",
    ])
    func aSlashAtTheEndAndAProxysTargetAreTaken(path: String) throws {
        #expect(try GatewayFixture().gateway().reply("\(path)?\(Vector.credentials)").page().ids == [3, 2, 1])
    }

    @Test func oneCharacterComesInTheSameWrapper() throws {
        let page = try GatewayFixture().gateway().reply("/v1/public/characters/2?\(Vector.credentials)").page()
        #expect(page.ids == [2])
        #expect((page.offset, page.limit, page.total, page.count) == (0, 20, 1, 1))
    }

    @Test(arguments: ["99", "2xxx", "x", "0", "-2", "+2", "9999999999999999999999", "%32"])
    func anUnknownCharacterIsNotFoundAfterTheCredentials(id: String) throws {
        let gateway = try GatewayFixture().gateway()
        let reply = gateway.reply("/v1/public/characters/\(id)?\(Vector.credentials)")
        #expect(reply.status == 404)
        #expect(reply.text == #"{"code":404,"status":"We couldn't find that character"}"#)
        #expect(gateway.reply("/v1/public/characters/\(id)").status == 409)
    }

    @Test func picturesAreAtTheHostThatTheClientAskedFor() throws {
        var fixture = GatewayFixture()
        let text = try fixture.gateway().search().text
        #expect(text.contains(#""thumbnail":{"path":"http://gateway.test:6163/emblem/3","extension":"png"}"#))
        #expect(text.contains(#""resourceURI":"http://gateway.marvel.com/v1/public/characters/3""#))
        fixture.settings.ownOrigin = "https://public.test"
        fixture.settings.rewritesLinks = true
        let rewritten = try fixture.gateway().search().text
        #expect(rewritten.contains(#""path":"https://public.test/emblem/3""#))
        #expect(rewritten.contains(#""collectionURI":"https://public.test/v1/public/characters/3/comics""#))
        #expect(!rewritten.contains("gateway.marvel.com"))
    }

    @Test func thePicturesThatItHandsOutAreServedWithoutAKey() throws {
        let gateway = try GatewayFixture().gateway()
        for target in ["/emblem/3.png", "/emblem/3/standard_small.png"] {
            let reply = gateway.reply(target)
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "image/png")
            #expect(reply.body.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        }
    }

    @Test(arguments: ImageVariant.allCases)
    func everyVariantHasAPathOfItsOwn(_ variant: ImageVariant) {
        let path = variant == .full ? "/emblem/3.png" : "/emblem/3/\(variant.rawValue).png"
        #expect(Route(path: path[...]) == .emblem(id: 3, variant: variant))
    }

    // MARK: Headers and encodings

    @Test func theTagIsTheSameForEveryTimestampAndEncoding() throws {
        var fixture = GatewayFixture()
        fixture.acceptsAnyKey = true
        let gateway = try fixture.gateway()
        let plain = gateway.reply("/v1/public/characters?apikey=k&ts=1&hash=a")
        let later = gateway.reply("/v1/public/characters?ts=2&hash=b&apikey=k")
        let compressed = gateway.reply("/v1/public/characters?apikey=k&ts=1&hash=a") { $0.acceptEncoding = "gzip" }
        let other = gateway.reply("/v1/public/characters?apikey=k&ts=1&hash=a&limit=1")
        let tag = try #require(plain["ETag"])
        #expect(tag.count == 40)
        #expect(plain.text.contains(#""etag":"\#(tag)","#))
        #expect(later["ETag"] == tag && compressed["ETag"] == tag)
        #expect(other["ETag"] != tag)
    }

    @Test func aClientThatHasTheAnswerIsToldSo() throws {
        let gateway = try GatewayFixture().gateway()
        let tag = try #require(gateway.search()["ETag"])
        for form in [tag, "\"\(tag)\"", "W/\"\(tag)\"", "\"x\", \"\(tag)\"", "*"] {
            let reply = gateway.search { $0.ifNoneMatch = form }
            #expect(reply.status == 304)
            #expect(reply.body.isEmpty)
            #expect(reply["ETag"] == tag)
            #expect(reply["Content-Type"] == nil)
        }
        #expect(gateway.search("limit=1") { $0.ifNoneMatch = tag }.status == 200)
    }

    @Test func gzipHoldsTheSameBytes() throws {
        let gateway = try GatewayFixture().gateway()
        let plain = gateway.search()
        let compressed = gateway.search { $0.acceptEncoding = "deflate, gzip" }
        #expect(plain["Content-Encoding"] == nil)
        #expect(compressed["Content-Encoding"] == "gzip")
        #expect(compressed.body.count < plain.body.count)
        #expect(try Gzip.decompress(compressed.body, maximum: plain.body.count) == plain.body)
    }

    @Test func aCallbackWrapsEveryAnswer() throws {
        let gateway = try GatewayFixture().gateway()
        let plain = gateway.search()
        let wrapped = gateway.search("callback=app.on_reply$1")
        #expect(wrapped.text == "app.on_reply$1(\(plain.text))")
        #expect(wrapped["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(wrapped["ETag"] == plain["ETag"])
        #expect(
            gateway.reply("/v1/public/characters?callback=f").text
                == #"f({"code":"MissingParameter","message":"You must provide a user key."})"#
        )
    }

    @Test(arguments: ["", "1f", "a..b", "alert(1)//", "a%20b", "%3Cscript%3E", "é", String(repeating: "a", count: 129)])
    func anInvalidFunctionNameWrapsNothing(callback: String) throws {
        let gateway = try GatewayFixture().gateway()
        #expect(gateway.search("callback=\(callback)").text == gateway.search().text)
    }

    @Test func aBrowserMayContinueAfterAPreflight() throws {
        let reply = try GatewayFixture().gateway().reply("/v1/public/characters", method: "OPTIONS") {
            $0.requestedHeaders = "X-Custom"
        }
        #expect(reply.status == 204)
        #expect(reply.body.isEmpty)
        #expect(reply["Access-Control-Allow-Origin"] == "*")
        #expect(reply["Access-Control-Allow-Methods"] == "GET, OPTIONS")
        #expect(reply["Access-Control-Allow-Headers"] == "X-Custom")
        #expect(reply["Access-Control-Allow-Private-Network"] == "true")
    }

    @Test func aPageOnTheListIsServedWithoutASignature() throws {
        var fixture = GatewayFixture()
        fixture.referers = [try #require(RefererPattern("games.test"))]
        let gateway = try fixture.gateway()
        #expect(gateway.reply("/v1/public/characters?apikey=1234") { $0.referer = "http://games.test/" }.status == 200)
        #expect(gateway.reply("/v1/public/characters?apikey=1234") { $0.referer = "http://other.test/" }.status == 401)
    }
}
