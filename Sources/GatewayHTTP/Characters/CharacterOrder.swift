/// The order of a list of characters: by its keys, the first key first, then by name, then by id.
struct CharacterOrder: Sendable, Hashable {
    enum Field: String, Sendable, Hashable {
        case name
        case modified
    }

    struct Key: Sendable, Hashable {
        var field: Field
        var isDescending: Bool
    }

    /// The sort keys. No field comes twice, because a later key with the same field has no effect.
    private(set) var keys: [Key] = []

    /// Whether it is the order in which a catalog keeps its characters.
    var isByName: Bool { keys.isEmpty || keys == [Key(field: .name, isDescending: false)] }
}

extension CharacterOrder {
    /// Reads an order.
    ///
    /// - Parameter text: `name`, `modified`, `-name`, `-modified`, or several of them with commas between.
    /// - Throws: `.unknownOrdering` with the first invalid word.
    init(_ text: String) throws(ParameterError) {
        for (word, isDescending) in QueryParameters.orderKeys(text) {
            guard let field = Field(rawValue: word) else {
                throw .unknownOrdering(isDescending ? "-\(word)" : word)
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
