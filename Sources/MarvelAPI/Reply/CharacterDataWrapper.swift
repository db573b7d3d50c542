/// The outermost object of an answer (MARVEL_API section 5). Only `data` and its `results` must be there.
package struct CharacterDataWrapper: Decodable {
    package struct Container: Decodable {
        /// What the gateway says it skipped.
        let offset: Int?
        /// 0 or more, at most what the service's own `total` can say.
        let total: Int?
        /// A null in place of an entry stays, so that entries can be counted.
        package let results: [CharacterEntry?]

        private enum Key: String, CodingKey {
            case offset, total, results
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            offset = fields.lenientInteger(.offset).map { Int($0) }
            total = fields.lenientInteger(.total).map { Int(Int32(clamping: max($0, 0))) }
            results = try fields.decode([CharacterEntry?].self, forKey: .results)
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
        let text = fields.lenient(String.self, .attributionText) ?? fields.lenient(String.self, .attributionHTML)
        attribution = text.map(PlainText.paragraph) ?? ""
        etag = fields.lenient(String.self, .etag)
        data = try fields.decode(Container.self, forKey: .data)
    }
}
