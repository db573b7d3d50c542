/// Operations with weights: `pages=80,toggle=15,favorites=5`. The order is fixed, so two runs send the same calls.
package struct Mix: Sendable, Hashable, CustomStringConvertible {
    package struct Part: Sendable, Hashable {
        package var operation: LoadOperation
        /// 1 or more.
        package var weight: Int
    }

    package static let maximumWeight = 10_000

    package let parts: [Part]
    private let cycle: [LoadOperation]

    package init(only operation: LoadOperation) {
        parts = [Part(operation: operation, weight: 1)]
        cycle = [operation]
    }

    /// Nil if `parts` is empty, an operation comes twice, or a weight is not from 1 to 10,000.
    package init?(_ parts: [Part]) {
        let weights = parts.map(\.weight)
        guard !parts.isEmpty, Set(parts.map(\.operation)).count == parts.count,
            weights.allSatisfy((1...Mix.maximumWeight).contains)
        else { return nil }
        self.parts = parts
        let divisor = weights.reduce(0, Mix.greatestCommonDivisor)
        self.cycle = Mix.spread(parts.map { Part(operation: $0.operation, weight: $0.weight / divisor) })
    }

    /// An operation without a weight has weight 1.
    package init?(_ text: String) {
        var parts: [Part] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let operation = LoadOperation(rawValue: String(pair[0])),
                let weight = pair.count == 1 ? 1 : Int(pair[1])
            else { return nil }
            parts.append(Part(operation: operation, weight: weight))
        }
        self.init(parts)
    }

    package var operations: [LoadOperation] { parts.map(\.operation) }

    /// `number` counts from 0.
    package func operation(at number: Int) -> LoadOperation {
        cycle[number % cycle.count]
    }

    package var cycleLength: Int { cycle.count }

    package var description: String {
        guard parts.count > 1 else { return parts[0].operation.rawValue }
        return parts.map { "\($0.operation.rawValue)=\($0.weight)" }.joined(separator: ",")
    }

    /// Smooth weighted round robin.
    private static func spread(_ parts: [Part]) -> [LoadOperation] {
        let sum = parts.reduce(0) { $0 + $1.weight }
        var credit = parts.map { _ in 0 }
        return (0..<sum).map { _ in
            var richest = 0
            for index in parts.indices {
                credit[index] += parts[index].weight
                if credit[index] > credit[richest] { richest = index }
            }
            credit[richest] -= sum
            return parts[richest].operation
        }
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : greatestCommonDivisor(right, left % right)
    }
}

package enum LoadOperation: String, Sendable, Hashable, CaseIterable {
    case pages
    case stream
    /// A complete result, page by page, with a unary call for each.
    case walk
    case toggle
    case favorites

    package var hasFirstPage: Bool {
        switch self {
        case .stream, .walk: true
        case .pages, .toggle, .favorites: false
        }
    }

    package var isSearch: Bool {
        switch self {
        case .pages, .stream, .walk: true
        case .toggle, .favorites: false
        }
    }
}
