internal import MarvelDomain
internal import TerminalUI

struct CardText: Sendable {
    let card: Card
    /// In the list of favorites, from 1; nil in other lists.
    var number: String?
    var savedAt: Timestamp?

    /// The name with highlighted matches, without surrounding white space.
    var name: StyledText {
        let name = card.character.name
        let plain = Style.bold
        // With few colors, the color of a match may equal a favorite's background.
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

    /// The signs before the name: number, star, and a mark for a pending answer. Their width is constant, to align
    /// names.
    var signs: StyledText {
        var text = StyledText(number.map { "\($0) " } ?? "", Style(.muted))
        text.append(card.isFavorite ? Symbol.favorite : " ", .bold)
        text.append(card.isPending ? Symbol.pending : " ", .bold)
        text.append(" ")
        return text
    }

    /// The same without padding, for narrow cards.
    var shortSigns: StyledText {
        var text = StyledText(number ?? "", Style(.muted))
        if card.isFavorite { text.append(Symbol.favorite, .bold) }
        if card.isPending { text.append(Symbol.pending, .bold) }
        if !text.isEmpty { text.append(" ") }
        return text
    }

    /// The lines below the name. The card draws as many as fit.
    func details(width: Int) -> [StyledText] {
        // A description may be very long: process only the part that can fit.
        let description = String(card.character.description.prefix(2 * width)).printable
        return [description, counts].filter { !$0.isEmpty }.map { StyledText($0, Style(.muted)) }
    }

    var counts: String {
        let counts = card.character.counts
        return counts.isEmpty ? "counts unknown" : counts.map(\.text).joined(separator: " · ")
    }

    /// The alternatives for the remark at the end of the name's line, the longest first.
    func remarks(withCounts: Bool) -> [String] {
        if let savedAt {
            let date = CivilTime(seconds: savedAt.seconds).date
            return ["saved \(savedAt.minute)", "saved \(date)", date]
        }
        return withCounts ? [counts, card.character.counts.first?.text ?? "unknown"] : []
    }
}

extension StyledText {
    /// Appends an untrusted text made printable. White space at its ends becomes one space, because the text may be a
    /// part of a line.
    fileprivate mutating func append(harmless text: Substring, _ style: Style) {
        let harmless = String(text).printable
        if text.first?.isWhitespace == true { append(" ", style) }
        append(harmless, style)
        if !harmless.isEmpty, text.last?.isWhitespace == true { append(" ", style) }
    }
}

struct CharacterCount: Sendable, Equatable {
    var number: Int
    var one: String
    var many: String

    var text: String { "\(number.grouped) \(number == 1 ? one : many)" }
}

extension MarvelCharacter {
    /// The counts that are not zero. If all are zero, the source has no counts.
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
    var minute: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay.dropLast(3)) UTC"
    }
}
