import CatalogEdits
import Foundation
import MarvelDomain

extension EditedCharacter {
    /// The edited fields, and no others, as text for the terminal.
    var text: String {
        var facts: [(String, String)] = [("id", "\(id)"), ("edit", kind.rawValue), ("revision", "\(revision)")]
        func add(_ name: String, _ value: (some CustomStringConvertible)?) {
            if let value { facts.append((name, "\(value)")) }
        }
        add("name", edit.name)
        add("description", edit.description)
        add("comics", edit.comicCount)
        add("series", edit.seriesCount)
        add("stories", edit.storyCount)
        add("events", edit.eventCount)
        if let urls = edit.urls {
            if urls.isEmpty { add("urls", "none") }
            for url in urls { add(url.type, url.url) }
        }
        add("picture", pictureType?.rawValue)
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1 }.joined(separator: "\n")
    }
}

extension EditedCharacter {
    /// The edit as `--json` prints it, with protobuf's field names. Fields that were not edited are left out.
    var json: JSONValue {
        let urls = edit.urls?.map { ["type": .string($0.type), "url": .string($0.url)] as JSONValue }
        let members: [(key: String, value: JSONValue?)] = [
            ("comicCount", edit.comicCount.map { .integer(Int64($0)) }),
            ("description", edit.description.map(JSONValue.string)),
            ("edit", .string(kind.rawValue)),
            ("editRevision", .integer(revision)),
            ("eventCount", edit.eventCount.map { .integer(Int64($0)) }),
            ("id", .integer(id)),
            ("mediaType", pictureType.map { .string($0.rawValue) }),
            ("name", edit.name.map(JSONValue.string)),
            ("seriesCount", edit.seriesCount.map { .integer(Int64($0)) }),
            ("storyCount", edit.storyCount.map { .integer(Int64($0)) }),
            ("urls", urls.map(JSONValue.array)),
        ]
        return .object(members.compactMap { member in member.value.map { (key: member.key, value: $0) } })
    }
}

extension EditError {
    /// The error as text for an operator at a terminal.
    var operatorText: String {
        switch self {
        case .exists(let id): "there is a character \(id) already: edit it without --new"
        case .conflict(let current): "the character was edited meanwhile: it is at revision \(current)"
        case .requestIDReused: "the request was made before"
        case .limitReached(let maximum): "\(maximum) characters are edited, which is the maximum"
        case .notWritable(let cause), .notReadable(let cause): cause
        }
    }
}
