package struct EditProblem: Error, Sendable, Hashable {
    /// The field's path in `marvel.v1.Character`, or `picture`: `name`, `urls[1].url`.
    package var field: String
    /// The message: the field, its rule and the violation. It never contains text from a caller.
    package var text: String

    package init(_ field: String, _ text: String) {
        self.field = field
        self.text = text
    }
}

/// The limits of an edit's fields. A letter is a grapheme cluster, which can have any number of code points.
package enum EditRules {
    static let name = TextSize(letters: 200, scalars: 800, bytes: CharacterLimits.nameBytes)
    static let description = TextSize(letters: 5_000, scalars: 7_500, bytes: CharacterLimits.descriptionBytes)
    package static let maximumURLs = 20
    package static let maximumURLBytes = 2_048
    package static let maximumURLTypeBytes = 32
    /// The maximum size of a picture: 1 MiB.
    package static let maximumPictureBytes = 1_024 * 1_024
}

extension CharacterEdit {
    package var problems: [EditProblem] {
        var problems: [EditProblem] = []
        if let name { problems += Self.problems(ofName: name) }
        if let description { problems += Self.problems(ofDescription: description) }
        let counts = [
            ("comic_count", comicCount), ("series_count", seriesCount), ("story_count", storyCount),
            ("event_count", eventCount),
        ]
        for case (let field, let count?) in counts where count < 0 {
            problems.append(EditProblem(field, "\(field) is \(count), minimum is 0"))
        }
        if let urls { problems += Self.problems(ofURLs: urls) }
        return problems
    }

    private static func problems(ofName name: String) -> [EditProblem] {
        var problems = EditRules.name.problems(of: name, "name")
        if name.isEmpty { problems.append(EditProblem("name", "name must have 1 to 200 letters, it is empty")) }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
            problems.append(EditProblem("name", "name begins or ends with white space"))
        }
        if name.hasControlCharacters { problems.append(EditProblem("name", "name has control characters")) }
        if name.hasHiddenCharacters {
            let text = "name has invisible characters: zero-width spaces, byte order marks, or changes of direction"
            problems.append(EditProblem("name", text))
        } else if !name.isEmpty, name.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint) {
            problems.append(EditProblem("name", "name has no visible character"))
        }
        return problems
    }

    private static func problems(ofDescription text: String) -> [EditProblem] {
        var problems = EditRules.description.problems(of: text, "description")
        if text.hasControlCharacters {
            problems.append(
                EditProblem("description", "description has control characters or line breaks: it is one paragraph")
            )
        }
        if text.hasDirectionControls {
            problems.append(EditProblem("description", "description has byte order marks or changes of direction"))
        }
        return problems
    }

    private static func problems(ofURLs urls: [CharacterURL]) -> [EditProblem] {
        guard urls.count <= EditRules.maximumURLs else {
            return [EditProblem("urls", "urls has \(urls.count) entries, maximum is \(EditRules.maximumURLs)")]
        }
        let byteCount = urls.reduce(0) { $0 + $1.byteCount }
        guard byteCount <= CharacterLimits.urlBytes else {
            let text = "urls has \(byteCount) bytes in total, maximum is \(CharacterLimits.urlBytes)"
            return [EditProblem("urls", text)]
        }
        return urls.enumerated().flatMap { index, url in
            var problems: [EditProblem] = []
            if !url.hasValidType {
                let field = "urls[\(index)].type"
                let text = "\(field) is not 1 to \(EditRules.maximumURLTypeBytes) of a-z 0-9 _ -"
                problems.append(EditProblem(field, text))
            }
            if !url.hasValidAddress {
                let field = "urls[\(index)].url"
                let text = """
                    \(field) does not begin with http:// or https://, or is not printable ASCII of at most \
                    \(EditRules.maximumURLBytes) characters without spaces
                    """
                problems.append(EditProblem(field, text))
            }
            return problems
        }
    }
}

struct TextSize: Sendable, Hashable {
    var letters: Int
    var scalars: Int
    var bytes: Int

    /// Returns the first count that is too large. Letters are not counted in texts of more than four times the byte
    /// limit.
    fileprivate func problems(of text: String, _ field: String) -> [EditProblem] {
        func problem(_ count: Int, _ unit: String, _ maximum: Int) -> [EditProblem] {
            [EditProblem(field, "\(field) has \(count) \(unit), maximum is \(maximum)")]
        }
        let byteCount = text.utf8.count
        if byteCount <= 4 * bytes, case let count = text.count, count > letters {
            return problem(count, "letters", letters)
        }
        if byteCount > bytes { return problem(byteCount, "bytes", bytes) }
        let scalarCount = text.unicodeScalars.count
        return scalarCount > scalars ? problem(scalarCount, "code points", scalars) : []
    }
}

extension Picture {
    /// Checks the picture of an edit. The media type is empty if the caller sent none.
    ///
    /// - Throws: `EditProblem` with the first rule that the picture breaks.
    package init(edit bytes: [UInt8], mediaType: String = "") throws(EditProblem) {
        guard bytes.count <= EditRules.maximumPictureBytes else {
            throw EditProblem("picture.data", "picture has more than \(EditRules.maximumPictureBytes) bytes")
        }
        let known = PictureType.allCases.map(\.rawValue).joined(separator: ", ")
        guard let type = PictureType(contents: bytes) else {
            throw EditProblem("picture.data", "unsupported picture type: use one of \(known)")
        }
        guard mediaType.isEmpty || mediaType == type.rawValue else {
            throw EditProblem("picture.media_type", "data is \(type.rawValue), but media_type is not")
        }
        self.init(bytes: bytes, mediaType: type)
    }
}

extension String {
    /// Whether the text contains control characters: C0, DEL, C1, or separators of lines and paragraphs.
    fileprivate var hasControlCharacters: Bool {
        let controls: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
        return unicodeScalars.contains { controls.contains($0.properties.generalCategory) }
    }

    /// Whether the text contains invisible code points: zero-width spaces, byte order marks, fillers, tags, or controls
    /// of the text direction. Joiners and variation selectors are allowed: emoji and many scripts need them.
    fileprivate var hasHiddenCharacters: Bool {
        unicodeScalars.contains { scalar in
            guard scalar.value >= 0x80, !["\u{200C}", "\u{200D}"].contains(scalar) else { return false }
            let properties = scalar.properties
            return properties.generalCategory == .format
                || properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }

    fileprivate var hasDirectionControls: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
            default: false
            }
        }
    }
}

extension CharacterURL {
    fileprivate var hasValidType: Bool {
        (1...EditRules.maximumURLTypeBytes).contains(type.utf8.count)
            && type.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains)
    }

    fileprivate var hasValidAddress: Bool {
        let scheme = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let scheme, url.utf8.count > scheme.utf8.count else { return false }
        return url.utf8.count <= EditRules.maximumURLBytes && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
