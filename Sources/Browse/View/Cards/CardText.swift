internal import Foundation
internal import MarvelDomain
internal import TerminalUI

/// What a card says.
struct CardText: Sendable {
    let card: Card
    /// From 1, in the list of favorites; nil elsewhere.
    var number: String?
    var savedAt: Timestamp?
    var timeZone: TimeZone

    /// The name with what was searched for made visible; white space at its ends is left out.
    var name: StyledText {
        let name = card.character.name
        let plain = Style.bold
        // The color of a match cannot be told from a favorite's background where there are few colors.
        let match = Style(card.isFavorite ? .standard : .match, on: .standard, [.bold, .underline])
        var text = StyledText()
        var place = name.startIndex
        for range in card.highlights {
            text.append(harmless: name[place..<range.lowerBound], plain)
            text.append(harmless: name[range], match)
            place = range.upperBound
        }
        text.append(harmless: name[place...], plain)
        return text.trimmed
    }

    /// Always of the same width, so that names line up: number, star, and a mark while the server has not answered.
    var signs: StyledText {
        var text = StyledText(number.map { "\($0) " } ?? "", Style(.muted))
        text.append(card.isFavorite ? Sign.favorite : " ", starStyle)
        text.append(card.isPending ? Sign.pending : " ", .bold)
        text.append(" ")
        return text
    }

    /// Those that there are, where there is little room.
    var shortSigns: StyledText {
        var text = StyledText(number ?? "", Style(.muted))
        if card.isFavorite { text.append(Sign.favorite, starStyle) }
        if card.isPending { text.append(Sign.pending, .bold) }
        if !text.isEmpty { text.append(" ") }
        return text
    }

    private var starStyle: Style { .bold }

    /// Below the name, as far as there are lines of so many columns.
    func details(width: Int) -> [StyledText] {
        // What does not fit is not looked at: nobody knows how long it is.
        let description = String(card.character.description.prefix(2 * width)).printable
        return [description, counts].filter { !$0.isEmpty }.map { StyledText($0, Style(.muted)) }
    }

    var counts: String { card.character.counts.map(\.text).joined(separator: " · ") }

    private func remarks(of savedAt: Timestamp) -> [String] {
        let date = savedAt.date(in: timeZone)
        return ["saved \(savedAt.minute(in: timeZone))", "saved \(date)", date]
    }

    /// At the end of the name's line, the longest first.
    func remarks(withCounts: Bool) -> [String] {
        if let savedAt { return remarks(of: savedAt) }
        return withCounts ? [counts, card.character.counts.first?.text ?? ""].filter { !$0.isEmpty } : []
    }
}

extension StyledText {
    /// - Parameters:
    ///   - text: From outside. White space at its ends stays, since it may be a part of something.
    ///   - style: Of all of it.
    fileprivate mutating func append(harmless text: Substring, _ style: Style) {
        let harmless = String(text).printable
        if text.first?.isWhitespace == true { append(" ", style) }
        append(harmless, style)
        if !harmless.isEmpty, text.last?.isWhitespace == true { append(" ", style) }
    }
}

/// So many comics, series, stories or events.
struct CharacterCount: Sendable, Equatable {
    var number: Int
    var one: String
    var many: String

    var text: String { "\(number.grouped) \(number == 1 ? one : many)" }
}

extension MarvelCharacter {
    /// Those that are not zero.
    var counts: [CharacterCount] {
        [
            CharacterCount(number: Int(comicCount), one: "comic", many: "comics"),
            CharacterCount(number: Int(seriesCount), one: "series", many: "series"),
            CharacterCount(number: Int(storyCount), one: "story", many: "stories"),
            CharacterCount(number: Int(eventCount), one: "event", many: "events"),
        ].filter { $0.number != 0 }
    }
}

extension Timestamp {
    /// `2026-01-31`
    func date(in zone: TimeZone) -> String { civilTime(in: zone).date }

    /// `2026-01-31 09:05`, and `2026-01-31 09:05 UTC` where the zone is that.
    func minute(in zone: TimeZone) -> String {
        let time = civilTime(in: zone)
        return "\(time.date) \(time.timeOfDay.dropLast(3))\(zone.isUTC ? " UTC" : "")"
    }

    private func civilTime(in zone: TimeZone) -> CivilTime {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return CivilTime(seconds: seconds &+ Int64(offset))
    }
}

extension TimeZone {
    /// Whether it is Greenwich's time all year, and not only in winter.
    fileprivate var isUTC: Bool { self == .gmt || identifier.hasSuffix("UTC") || identifier.hasSuffix("GMT") }
}
