/// Names to complete what is being typed, gathered best first.
struct SuggestedNames {
    /// So many names that begin with what was typed are enough: typing mistakes are thought of only if there are fewer.
    static let few = 3

    private(set) var names: [String] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { names.count >= limit }

    var areFew: Bool { names.count < min(limit, SuggestedNames.few) }

    /// Takes a name, unless it is there already or there are enough.
    mutating func add(_ name: String) {
        guard !isFull, known.insert(name).inserted else { return }
        names.append(name)
    }
}
