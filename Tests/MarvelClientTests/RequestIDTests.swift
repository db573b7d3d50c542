import MarvelDomain
import Testing

@testable import MarvelClient

struct RequestIDTests {
    @Test(arguments: [
        (UInt64(0), UInt64(0), "00000000-0000-4000-8000-000000000000"),
        (.max, .max, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
        (0x0123_4567_89AB_CDEF, 0x0123_4567_89AB_CDEF, "01234567-89ab-4def-8123-456789abcdef"),
    ])
    func aUUIDTellsItsVersionAndVariant(_ high: UInt64, _ low: UInt64, _ text: String) {
        #expect(RequestID.uuid(high, low).text == text)
    }
}
