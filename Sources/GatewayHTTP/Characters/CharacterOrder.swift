/// The order of a list of characters: by its keys, earlier ones first, then by name, then by id.
package struct CharacterOrder: Sendable, Hashable {
    package enum Field: String, Sendable, Hashable {
        case name
        case modified
    }

    package struct Key: Sendable, Hashable {
        package var field: Field
        package var isDescending: Bool
    }

    /// No field occurs twice: what comes later about the same field cannot matter.
    package private(set) var keys: [Key] = []

    package init() {}

    /// Whether it is the order in which a catalog keeps its characters anyway.
    package var isByName: Bool { keys.isEmpty || keys == [Key(field: .name, isDescending: false)] }
}

extension CharacterOrder {
    /// - Parameter text: `name`, `modified`, `-name`, `-modified`, or several of them with commas between.
    /// - Throws: `.unknownOrdering` with the first word that is none of them.
    init(_ text: String) throws(ParameterError) {
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = word.trimming(while: \.isWhitespace)
            let isDescending = trimmed.hasPrefix("-")
            guard let field = Field(rawValue: String(isDescending ? trimmed.dropFirst() : trimmed)) else {
                throw .unknownOrdering(String(trimmed))
            }
            guard !keys.contains(where: { $0.field == field }) else { continue }
            keys.append(Key(field: field, isDescending: isDescending))
        }
    }
}

extension Substring {
    func trimming(while isUnwanted: (Character) -> Bool) -> Substring {
        var trimmed = drop(while: isUnwanted)
        while let last = trimmed.last, isUnwanted(last) { trimmed.removeLast() }
        return trimmed
    }
}
