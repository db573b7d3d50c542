internal import MarvelDomain

/// The outermost object of a response. Only `data` and its `results` are required.
package struct CharacterDataWrapper: Decodable {
    package struct Container: Decodable {
        let offset: Int?
        /// The number of matches, clamped to the range of the service's own `total`.
        let total: Int?
        /// The entries; nil for an entry that is not an object, so that entries can be counted.
        package let results: [CharacterEntry?]

        private enum Key: String, CodingKey {
            case offset, total, results
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            offset = fields.lenientInteger(.offset).map { Int($0) }
            total = fields.lenientInteger(.total).map { Int(Int32(clamping: max($0, 0))) }
            let entries = try fields.decode([Lenient<CharacterEntry?>].self, forKey: .results)
            // One unreadable entry is accepted, but a list without a readable entry is not a list of characters.
            guard entries.isEmpty || entries.contains(where: { $0.value != nil }) else {
                throw DecodingError.dataCorruptedError(forKey: .results, in: fields, debugDescription: "no objects")
            }
            results = entries.map { $0.value ?? nil }
        }
    }

    /// Attribution text to show with the data; empty if missing.
    package let attribution: String
    let etag: String?
    package let data: Container

    private enum Key: String, CodingKey {
        case attributionText, attributionHTML, etag, data
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let texts = [Key.attributionText, .attributionHTML].compactMap { fields.lenient(String.self, $0) }
        let line = texts.lazy.map(PlainText.paragraph).first { !$0.isEmpty } ?? ""
        attribution = line.cut(to: CharacterLimits.attributionBytes)
        etag = fields.lenient(String.self, .etag)
        data = try fields.decode(Container.self, forKey: .data)
    }
}
