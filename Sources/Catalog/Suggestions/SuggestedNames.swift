/// A list of suggestions, filled with the best ones first.
struct SuggestedNames {
    /// The number of names from which on names with typing mistakes are not searched.
    static let few = 3

    private(set) var names: [String] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { names.count >= limit }

    var areFew: Bool { names.count < min(limit, SuggestedNames.few) }

    /// Adds a name, unless the list contains it or is full.
    mutating func add(_ name: String) {
        guard !isFull, known.insert(name).inserted else { return }
        names.append(name)
    }
}
