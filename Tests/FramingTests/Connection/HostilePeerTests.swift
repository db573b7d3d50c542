import FramingDrivers
import NIOCore
import Testing

/// Well formed frames in any order, with everything else that happens on a connection in between: requests held for a
/// peer that does not read, time that passes, a server that stops. FuzzTests has the damaged ones.
///
/// `ServerDriver` and `ClientDriver` check their promises at every step.
@Suite struct HostilePeerTests {
    @Test(arguments: UInt64(0)..<60) func framesInAnyOrderBreakNoPromise(_ seed: UInt64) {
        expectNoBreach(FrameNoise.bytes(frames: 200, seed: seed), seed)
    }

    @Test(arguments: UInt64(0)..<60) func oneFrameOverAndOverBreaksNoPromise(_ seed: UInt64) {
        let frame = FrameNoise.bytes(frames: 1, seed: seed)
        expectNoBreach(ByteBuffer(bytes: repeatElement(frame.readableBytesView, count: 300).joined()), seed)
    }

    private func expectNoBreach(_ bytes: ByteBuffer, _ seed: UInt64) {
        #expect(ServerDriver<FrameAccount>.play(bytes, seed: seed) == [])
        #expect(ClientDriver.play(bytes, seed: seed) == [])
    }
}
