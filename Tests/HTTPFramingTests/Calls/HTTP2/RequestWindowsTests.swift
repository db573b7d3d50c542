import RPCCore
import Testing

@testable import HTTPFraming

struct RequestWindowsTests {
    /// The window, the bytes that a message lacks, and the increment.
    @Test(arguments: [
        (65_535, 0, 0), (32_768, 0, 0), (32_767, 0, 32_768), (0, 0, 65_535), (-10, 0, 65_545), (65_535, 65_535, 0),
        (65_535, 65_536, 1), (0, 6, 6), (0, 1, 1), (1, 1, 0), (-3, 1, 4), (10, 4_000_000, 3_999_990),
    ])
    func aStreamsWindowIsOpenedForTheRestOfAMessage(_ size: Int, _ missing: Int, _ increment: Int) {
        #expect(RequestWindows.streamIncrement(size: size, missing: missing) == increment)
    }

    /// A message of any size, in frames of any size, arrives without a wait: the window never ends before the message.
    @Test(arguments: [1, 7, 999, 1_000, 16_384], [1, 65_530, 65_531, 65_536, 131_072, 200_000])
    func aMessageArrives(_ frameSize: Int, _ messageSize: Int) {
        var (window, sent) = (RequestWindows.defaultSize, 0)
        let byteCount = messageSize + EnvelopeReader.prefixByteCount
        var frameCount = 0
        while sent < byteCount, frameCount <= byteCount {
            frameCount += 1
            let frame = min(frameSize, window, byteCount - sent)
            window -= frame
            sent += frame
            let missing = sent < EnvelopeReader.prefixByteCount ? 0 : byteCount - sent
            window += RequestWindows.streamIncrement(size: window, missing: missing)
        }
        #expect(sent == byteCount)
    }

    /// The window and the increment. The bytes of requests that are held change neither: the windows of streams are the limit.
    @Test(arguments: [(65_535, 0), (32_768, 0), (32_767, 32_768), (0, 65_535)])
    func theConnectionsWindowIsOpenedWhenHalfOfItIsUsed(_ size: Int, _ increment: Int) {
        #expect(RequestWindows.connectionIncrement(size: size) == increment)
    }

    // MARK: Large requests

    @Test func requestsAreAdmittedInTheirOrderUpToALimit() {
        var windows = RequestWindows(maximumAdmittedByteCount: 100)
        #expect(windows.admits(1, 60) == true)
        #expect(windows.admits(3, 40) == true)
        #expect(windows.admits(5, 30) == false)
        #expect(windows.admits(7, 1) == false, "the one before comes first")
        #expect(windows.admits(1, 60) == true, "it is admitted")
        #expect(windows.nextAdmitted() == nil)
        windows.ended(3)
        for id in [5, 7, nil] as [StreamID?] { #expect(windows.nextAdmitted() == id) }
    }

    /// Otherwise nothing would ever be complete.
    @Test func aSingleRequestIsAlwaysAdmitted() {
        var windows = RequestWindows(maximumAdmittedByteCount: 100)
        #expect(windows.admits(1, 1 << 20) == true)
        #expect(windows.admits(3, 1 << 20) == false)
        #expect(windows.admits(5, 1) == false)
        windows.ended(1)
        for id in [3, nil] as [StreamID?] { #expect(windows.nextAdmitted() == id) }
        windows.ended(5)
        windows.ended(3)
        #expect(windows.nextAdmitted() == nil)
        #expect(windows.admits(7, 100) == true)
    }
}
