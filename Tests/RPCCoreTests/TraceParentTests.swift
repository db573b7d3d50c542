import RPCCore
import Testing

/// The header of W3C Trace Context, by the rules of its specification.
@Suite struct TraceParentTests {
    private static let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func aPositionIsRead() throws {
        let trace = try #require(TraceParent(Self.valid))
        #expect(trace.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.flags == "01")
        #expect(TraceParent("cc" + Self.valid.dropFirst(2) + "-what-follows") != nil, "a later version")
    }

    @Test(arguments: [
        "", "00", "00---", valid + "-00", "ff" + valid.dropFirst(2), valid.uppercased(),
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e473\"-00f067aa0ba902b7-01", " " + valid, valid + "\n",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-" + String(repeating: "x", count: 100),
    ])
    func aMalformedPositionIsInvalid(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test func aFurtherRequestHasTheTraceAndItsOwnOperation() throws {
        let trace = try #require(TraceParent(Self.valid))
        #expect(trace.header(operation: 0xAB) == "00-4bf92f3577b34da6a3ce929d0e0e4736-00000000000000ab-01")
        #expect(TraceParent(trace.header(operation: .max)) != nil)
    }
}
