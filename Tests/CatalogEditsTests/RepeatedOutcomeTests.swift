import CatalogEdits
import Testing

@Suite struct RepeatedOutcomeTests {
    @Test func onlyChangesAreReported() {
        var outcome = RepeatedOutcome()
        let changes = [nil, "a", "a", "b", "a", nil, nil, "a"].map { outcome.tried(failure: $0) }
        #expect(
            changes == [
                nil, .failed(reason: "a"), nil, .failed(reason: "b"), .failed(reason: "a"), .recovered, nil,
                .failed(reason: "a"),
            ]
        )
    }
}
