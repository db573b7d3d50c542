import RPCCore
import Testing

@Suite struct MetadataTests {
    @Test func nothingIsInNewMetadata() {
        let metadata = Metadata()
        #expect(metadata.isEmpty)
        #expect(metadata["authorization"] == nil)
    }

    @Test func pairsKeepTheirOrderAndRepeatedKeys() {
        var metadata = Metadata()
        metadata.append("b", "1")
        metadata.append("a", "2")
        metadata.append("b", "3")
        #expect(!metadata.isEmpty)
        #expect(metadata.pairs.map { "\($0.key)=\($0.value)" } == ["b=1", "a=2", "b=3"])
    }

    @Test func aKeyIsLookedUpAsWrittenAndGivesItsFirstValue() {
        var metadata = Metadata()
        metadata.append("x-request-id", "first")
        metadata.append("x-request-id", "second")
        #expect(metadata["x-request-id"] == "first")
        #expect(metadata["X-Request-ID"] == nil)
    }

    @Test func aPeerMaySendSixtyFourPairsAndEightKibibytes() {
        #expect(Metadata.maximumPairs == 64)
        #expect(Metadata.maximumBytes == 8_192)
    }
}
