/// One text: the paths in camel case, separated by commas.
extension FieldMask {
    /// Nil if the text would be parsed as other paths.
    var json: String? {
        let names = paths.map(FieldMask.camelCase)
        guard FieldMask(json: names.joined(separator: ","))?.paths == paths else { return nil }
        return names.joined(separator: ",")
    }

    /// Nil if a path is empty, or not in camel case.
    init?(json text: String) {
        let names = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && !$0.contains("_") }) else { return nil }
        self.init(names.map(FieldMask.separated))
    }

    /// `page_size` becomes `pageSize`.
    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// `pageSize` becomes `page_size`.
    private static func separated(_ name: Substring) -> String {
        name.reduce(into: "") { result, letter in
            if ("A"..."Z").contains(letter) {
                result += "_" + letter.lowercased()
            } else {
                result.append(letter)
            }
        }
    }
}
