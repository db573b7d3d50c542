import Foundation
import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

struct PreviewTests {
    @Test func aWideWindowShowsTheSelectedCharacterBesideTheCards() throws {
        var stage = Stage(200, 50, showsPictures: true)
        stage.picture = { _ in .image(.stripes) }
        stage.live()
        stage.search("spider")
        stage.press(.down)
        let selected = try #require(stage.model.selectedCharacter)
        let preview = try #require(stage.view.layout.preview)
        #expect(preview.picture != nil)
        #expect(stage.model.pictures[PictureKey(selected.id, .detail)] != .loading)
        let title = try #require(stage.screen.line(preview.text.row).split(separator: "│").last)
        #expect(title.trimmingCharacters(in: .whitespaces) == selected.shownName)
        #expect(stage.screen.text.contains("Not a favorite"))
        for card in stage.view.layout.cards { #expect(!card.frame.overlaps(preview.text)) }
    }

    @Test(arguments: [(159, 50), (200, 14)])
    func aSmallerWindowHasNone(_ columns: Int, _ rows: Int) {
        var stage = Stage(columns, rows)
        stage.live()
        stage.search("spider")
        #expect(stage.view.layout.preview == nil)
    }
}

extension LocalZone {
    fileprivate init(_ zone: TimeZone) {
        let isUTC = zone == .gmt || zone.identifier.hasSuffix("UTC")
        self.init(name: zone.identifier, isUTC: isUTC) { seconds in
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
    }
}

struct LocalTimeTests {
    @Test(arguments: [
        ("GMT", "2026-01-31 23:05 UTC", "2026-01-31"), ("Etc/UTC", "2026-01-31 23:05 UTC", "2026-01-31"),
        ("Europe/Berlin", "2026-02-01 00:05", "2026-02-01"), ("America/New_York", "2026-01-31 18:05", "2026-01-31"),
        ("Europe/London", "2026-01-31 23:05", "2026-01-31"),
    ])
    func aTimeIsShownInTheZone(_ identifier: String, _ minute: String, _ date: String) throws {
        let zone = LocalZone(try #require(TimeZone(identifier: identifier)))
        let time = Timestamp(seconds: 1_769_900_700)
        #expect(time.minute(in: zone) == minute)
        #expect(time.date(in: zone) == date)
    }

    @Test(arguments: [Int64.min, .max])
    func noTimeIsTooFarAway(_ seconds: Int64) throws {
        let zone = LocalZone(name: "west", isUTC: false) { _ in -3_600 }
        #expect(!Timestamp(seconds: seconds).date(in: zone).isEmpty)
    }
}

struct HelpLinesTests {
    @Test(arguments: [36, 40, 60, 76])
    func everyWordOfTheHelpIsShown(_ width: Int) {
        let lines = HelpSection.lines(width: width)
        for line in lines { #expect(line.width <= width) }
        let words = lines.map { String($0.letters.map(\.grapheme)) }.joined(separator: " ").split(separator: " ")
        for entry in HelpSection.all.flatMap(\.entries) {
            for word in entry.meaning.split(separator: " ") { #expect(words.contains(word)) }
        }
    }
}
