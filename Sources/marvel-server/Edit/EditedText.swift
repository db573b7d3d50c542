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

/// An edit as `--json` prints it, with protobuf's field names. Fields that were not edited are left out.
struct EditedJSON: Encodable {
    struct URL: Encodable {
        var type: String
        var url: String
    }

    var id: Int64
    var edit: String
    var editRevision: Int64
    var name: String?
    var description: String?
    var comicCount: Int32?
    var seriesCount: Int32?
    var storyCount: Int32?
    var eventCount: Int32?
    var urls: [URL]?
    var mediaType: String?

    init(_ edited: EditedCharacter) {
        id = edited.id
        edit = edited.kind.rawValue
        editRevision = edited.revision
        name = edited.edit.name
        description = edited.edit.description
        comicCount = edited.edit.comicCount
        seriesCount = edited.edit.seriesCount
        storyCount = edited.edit.storyCount
        eventCount = edited.edit.eventCount
        urls = edited.edit.urls.map { $0.map { URL(type: $0.type, url: $0.url) } }
        mediaType = edited.pictureType?.rawValue
    }

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
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
