import NIOCore
import RPCCore
import Testing

@testable import WireMessages

struct StatusTests {
    @Test func anErrorThatWasReceivedIsThePeers() throws {
        let local = RPCError(.notFound, reason: .characterNotFound, "no character has the id 7")
        let received = try RPCError(decodingStatus: local.encodedStatus(), limit: .response)
        #expect(local.origin == .local)
        #expect(received.origin == .peer)
        #expect(received.reason == .characterNotFound)
    }

    @Test(arguments: [-1, 17, Int32.min, Int32.max])
    func aCodeOutsideTheTableIsUnknown(code: Int32) throws {
        let bytes = ByteBuffer(bytes: RawField.number(1, UInt64(bitPattern: Int64(code))))
        #expect(try RPCError(decodingStatus: bytes, limit: .response).code == .unknown)
    }

    private func status(detail typeURL: String, _ value: [UInt8]) -> ByteBuffer {
        ByteBuffer(bytes: RawField.bytes(3, RawField.bytes(1, Array(typeURL.utf8)) + RawField.bytes(2, value)))
    }

    @Test(arguments: [
        "type.googleapis.com/google.rpc.DebugInfo", "google.rpc.RetryInfo", "", "/", "type.googleapis.com/google.rpc.",
    ])
    func aDetailThatIsNotKnownIsKeptAsItCame(typeURL: String) throws {
        let error = try RPCError(decodingStatus: status(detail: typeURL, [0, 0xFF, 1]), limit: .response)
        #expect(error.details == [.other(typeURL: typeURL, value: [0, 0xFF, 1])])
        let again = try RPCError(decodingStatus: error.encodedStatus(), limit: .response)
        #expect(again == error)
    }

    @Test func theHostOfATypeURLIsNotCompared() throws {
        let bytes = status(detail: "example.com/types/google.rpc.RetryInfo", [0x0A, 0x02, 0x08, 0x05])
        #expect(try RPCError(decodingStatus: bytes, limit: .response).retryDelay == .seconds(5))
    }

    @Test(arguments: [
        ("google.rpc.ErrorInfo", [UInt8](arrayLiteral: 0x0A)), ("google.rpc.ErrorInfo", [0x0A, 0x01, 0xFF]),
        ("google.rpc.BadRequest", [0x0B]), ("google.rpc.RetryInfo", [0x0A, 0x05]),
    ])
    func aKnownDetailThatIsBrokenDoesNotTakeTheErrorWithIt(name: String, value: [UInt8]) throws {
        let typeURL = "type.googleapis.com/\(name)"
        let error = try RPCError(decodingStatus: status(detail: typeURL, value), limit: .response)
        #expect(error.details == [.other(typeURL: typeURL, value: value)])
    }

    @Test func aMapEntryThatComesTwiceCountsOnceTheLastOne() throws {
        let entry = { (value: String) in
            RawField.bytes(3, RawField.bytes(1, Array("k".utf8)) + RawField.bytes(2, Array(value.utf8)))
        }
        let bytes = status(detail: "type.googleapis.com/google.rpc.ErrorInfo", entry("old") + entry("new"))
        let error = try RPCError(decodingStatus: bytes, limit: .response)
        let info = ErrorInfo(reason: ErrorReason(rawValue: ""), domain: "", metadata: ["k": "new"])
        #expect(error.details == [.errorInfo(info)])
    }

    @Test(arguments: [
        (WireError.malformed("marvel.v1.X", byteCount: 3), StatusCode.invalidArgument, ErrorReason.requestMalformed),
        (.invalidText(field: "query"), .invalidArgument, .textInvalid),
        (.invalidValue(field: "modified.nanos"), .invalidArgument, .valueInvalid),
        (.tooLarge("marvel.v1.X", byteCount: 5, maximum: 4), .resourceExhausted, .messageTooLarge),
        (.tooMuchMemory("marvel.v1.X", byteCount: 5, budget: 4), .resourceExhausted, .messageTooComplex),
        (.metadataTooLarge(pairs: 65, bytes: 1), .resourceExhausted, .metadataTooLarge),
    ])
    func aRequestThatCannotBeDecodedIsAnsweredSo(error: WireError, code: StatusCode, reason: ErrorReason) {
        let answer = RPCError(undecodable: error)
        #expect(answer.code == code)
        #expect(answer.reason == reason)
        #expect(answer.message == error.description)
    }

    @Test func theAnswerNamesTheFieldWithInvalidText() {
        let answer = RPCError(undecodable: .invalidText(field: "query"))
        let text = "query is not UTF-8 text without NUL, with at most 30 combining marks in a row"
        #expect(answer.details.contains(.badRequest([FieldViolation(field: "query", description: text)])))
    }

    @Test func aLibraryThatIsTooOldIsRefused() throws {
        try MessageLibrary.checkVersion()
        try MessageLibrary.check(1_004_001, name: "1.4.1")
        let error = #expect(throws: LibraryTooOld.self) { try MessageLibrary.check(1_004_000, name: "1.4.0") }
        #expect(error?.description.contains("libprotobuf-c 1.4.0") == true)
    }
}
