import Testing

@testable import MarvelDomain

@Suite struct URLUserInfoTests {
    @Test(arguments: [
        ("http://user:secret@host/", "http://***@host/"), ("a http://key@host b", "a http://***@host b"),
        ("http://user:se@cret@host:1/a@b", "http://***@b"),
        ("postgresql://user:secret@host/x?password=other&a=b", "postgresql://***@host/x?password=***&a=b"),
        // A slash that should have been %2F.
        ("postgresql://user:Xk9/secret@host/x", "postgresql://***@host/x"),
        ("https://user:se/c:ret@host:80/", "https://***@host:80/"),
    ])
    func aPasswordIsMasked(_ text: String, _ shown: String) { #expect(URLUserInfo.masked(text) == shown) }

    @Test(arguments: [
        "postgresql://user@host/x", "https://host:8443/a@b", "https://[::1]:8443/a@b", "https://host/a@b", "user@host",
        "http://host:80/?to=a@b",
    ])
    func otherTextsAreKept(_ text: String) {
        #expect(URLUserInfo.masked(text) == text)
        #expect(!URLUserInfo.holdsPassword(text))
    }

    @Test func aPasswordIsFound() {
        for text in ["http://user:secret@host", "--store=postgresql://user:Xk9/secret@host/x", "x://a:b@c/d@e"] {
            #expect(URLUserInfo.holdsPassword(text))
        }
        // A name alone is no password.
        #expect(!URLUserInfo.holdsPassword("http://key@host"))
    }
}
