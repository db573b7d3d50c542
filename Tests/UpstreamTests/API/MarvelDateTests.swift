import MarvelDomain
import Testing
import Upstream

@Suite struct MarvelDateTests {
    /// Checked with the zoneinfo database: `TZ=America/New_York date -d @SECONDS`.
    @Test(arguments: [
        (0, "1969-12-31T19:00:00-0500"),
        (1_398_795_497, "2014-04-29T14:18:17-0400"),
        (1_425_797_999, "2015-03-08T01:59:59-0500"),
        (1_425_798_000, "2015-03-08T03:00:00-0400"),
        (1_446_357_599, "2015-11-01T01:59:59-0400"),
        (1_446_357_600, "2015-11-01T01:00:00-0500"),
        (1_456_790_399, "2016-02-29T18:59:59-0500"),
        (4_107_542_400, "2100-02-28T19:00:00-0500"),
    ])
    func timesAreShownOnTheClocksOfNewYork(seconds: Int64, text: String) {
        #expect(MarvelDate.text(Timestamp(seconds: seconds)) == text)
    }

    @Test(arguments: [
        ("2014-04-29T14:18:17-0400", 1_398_795_497), ("2014-04-29T14:18:17-04:00", 1_398_795_497),
        ("2014-04-29T18:18:17Z", 1_398_795_497), ("2014-04-29T20:18:17+0200", 1_398_795_497),
        ("2014-04-29T20:18:17 0200", 1_398_795_497), ("2014-04-29T14:18:17", 1_398_795_497),
        ("2014-04-29 14:18:17", 1_398_795_497), ("2014-04-29T14:18", 1_398_795_480),
        ("2014-04-29", 1_398_744_000), ("2014-01-29", 1_390_971_600), ("1970-01-01T00:00:00Z", 0),
        ("2016-02-29", 1_456_722_000),
    ])
    func datesAreRead(text: String, seconds: Int64) {
        #expect(MarvelDate.queryDate(text) == Timestamp(seconds: seconds))
    }

    @Test(arguments: [
        "", "0", "yesterday", "2014", "2014-13-01", "2015-02-29", "2014-04-31", "2014-04-29T24:00:00", "2014-04-29T",
        "2014-04-29Z", "-0001-11-30T00:00:00-0500", "2014-04-29x", "٢٠١٤-٠٤-٢٩",
    ])
    func anInvalidDateIsRefused(text: String) {
        #expect(MarvelDate.queryDate(text) == nil)
    }

    @Test(arguments: [(Int64.min, "0000-12-31T19:00:00-0500"), (Int64.max, "9999-12-31T18:59:59-0500")])
    func aTimeOutsideOfTheCalendarIsShownAsItsEnd(seconds: Int64, text: String) {
        #expect(MarvelDate.text(Timestamp(seconds: seconds)) == text)
        #expect("\(MarvelDate.year(Timestamp(seconds: seconds)))" == (seconds < 0 ? "0" : "9999"))
    }

    @Test(arguments: ["0001-01-01T00:00:00+2300", "9999-12-31T23:59:59-0100"])
    func aDateThatNoMessageCanCarryIsUnknown(text: String) {
        #expect(MarvelDate.responseDate(text) == nil)
    }

    @Test func everyDayOfFourCenturiesSurvivesTheRoundTrip() {
        let lost = (Int64(-73_048)...73_048).map { $0 * 86_400 + 3_723 }.filter { seconds in
            CivilTime(seconds: seconds).validSeconds != seconds
        }
        #expect(lost.isEmpty)
    }

    @Test(arguments: [(1_767_242_399, 2025), (1_767_243_599, 2025), (1_767_243_600, 2026)])
    func theYearChangesInNewYork(seconds: Int64, year: Int64) {
        #expect(MarvelDate.year(Timestamp(seconds: seconds)) == year)
    }
}
