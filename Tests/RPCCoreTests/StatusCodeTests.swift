import RPCCore
import Testing

@Suite struct StatusCodeTests {
    @Test(arguments: [
        (0, StatusCode.ok, "OK"),
        (1, .cancelled, "CANCELLED"),
        (2, .unknown, "UNKNOWN"),
        (3, .invalidArgument, "INVALID_ARGUMENT"),
        (4, .deadlineExceeded, "DEADLINE_EXCEEDED"),
        (5, .notFound, "NOT_FOUND"),
        (6, .alreadyExists, "ALREADY_EXISTS"),
        (7, .permissionDenied, "PERMISSION_DENIED"),
        (8, .resourceExhausted, "RESOURCE_EXHAUSTED"),
        (9, .failedPrecondition, "FAILED_PRECONDITION"),
        (10, .aborted, "ABORTED"),
        (11, .outOfRange, "OUT_OF_RANGE"),
        (12, .unimplemented, "UNIMPLEMENTED"),
        (13, .internalError, "INTERNAL"),
        (14, .unavailable, "UNAVAILABLE"),
        (15, .dataLoss, "DATA_LOSS"),
        (16, .unauthenticated, "UNAUTHENTICATED"),
    ])
    func aNumberHasItsCodeAndName(_ number: Int32, _ code: StatusCode, _ name: String) {
        #expect(StatusCode(rawValue: number) == code)
        #expect(code.name == name)
    }
}
