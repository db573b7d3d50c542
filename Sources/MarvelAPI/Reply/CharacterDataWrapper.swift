internal import MarvelDomain

/// The outermost object of an answer (MARVEL_API section 5). Only `data` and its `results` must be there.
package struct CharacterDataWrapper: Decodable {
    package struct Container: Decodable {
        /// What the gateway says it skipped.
        let offset: Int?
        /// 0 or more, at most what the service's own `total` can say.
        let total: Int?
        /// Nil stands for an entry that is no object, so that entries can be counted.
        package let results: [CharacterEntry?]

        private enum Key: String, CodingKey {
            case offset, total, results
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            offset = fields.lenientInteger(.offset).map { Int($0) }
            total = fields.lenientInteger(.total).map { Int(Int32(clamping: max($0, 0))) }
            let entries = try fields.decode([Lenient<CharacterEntry?>].self, forKey: .results)
            // One odd entry fails no page; but a list of nothing else is a list of something else.
            guard entries.isEmpty || entries.contains(where: { $0.value != nil }) else {
                throw DecodingError.dataCorruptedError(forKey: .results, in: fields, debugDescription: "no objects")
            }
            results = entries.map { $0.value ?? nil }
        }
    }

    /// Empty if there is none.
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
