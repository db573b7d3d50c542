import Testing
import Upstream

struct GatewayURLTests {
    @Test(arguments: [
        ("http://gateway.example", "http://gateway.example"),
        ("https://gateway.example/", "https://gateway.example"),
        ("HTTPS://Gateway.Example:8443", "https://gateway.example:8443"),
        ("http://127.0.0.1:6163", "http://127.0.0.1:6163"),
        ("http://[::1]:6163", "http://[::1]:6163"),
        ("http://gateway.example:80/v1/public", "http://gateway.example:80"),
        ("http://gateway.example/v1/public/", "http://gateway.example"),
        ("https://proxy.example/marvel/api//", "https://proxy.example/marvel/api"),
    ])
    func aGatewayIsSchemeHostPortAndPath(text: String, base: String) throws {
        #expect(try GatewayURL(text).base == base)
    }

    @Test(arguments: [
        ("", GatewayURL.Refusal.scheme), ("gateway.example", .scheme), ("file:///etc/passwd", .scheme),
        ("gopher://gateway.example", .scheme), ("http:/gateway.example", .scheme), (" http://a.example", .scheme),
        ("http://", .host), ("http:///path", .host), ("http://ga teway", .host), ("http://...", .host),
        ("http://gäteway.example", .host), ("http://[::1", .host), ("http://[gateway]", .host),
        ("http://gateway.example:", .port), ("http://gateway.example:0", .port),
        ("http://gateway.example:65536", .port), ("http://gateway.example:-1", .port),
        ("http://gateway.example:8x", .port), ("http://[::1]6163", .port),
        ("http://key:secret@gateway.example", .userInfo), ("http://gateway.example@127.0.0.1", .userInfo),
        ("http://gateway.example/../x", .path), ("http://gateway.example/a b", .path),
        ("http://gateway.example/\r\nX: y", .path), ("http://gateway.example/ü", .path),
        ("http://gateway.example?a=b", .queryOrFragment), ("http://gateway.example/#top", .queryOrFragment),
    ])
    func anInvalidGatewayURLIsRefusedByItsRule(text: String, refusal: GatewayURL.Refusal) {
        #expect(throws: refusal) { try GatewayURL(text) }
    }
}
