import Browse
import Terminal
import Testing

@testable import marvel

struct PictureWorkerTests {
    @Test func aPictureThatNobodyWantsAnyMoreIsNotDecoded() async {
        let decoding = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await PictureWorker().image([], for: .card)
        }
        await #expect(throws: PictureDecodingError.cancelled) { try await decoding.value }
    }
}
