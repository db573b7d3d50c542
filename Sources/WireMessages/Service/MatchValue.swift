internal import CMarvelMessages
package import MarvelDomain

/// The enum `marvel.v1.Match`. A value that this build does not know is kept.
package struct MatchValue: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let prefix = MatchValue(rawValue: 0)
    package static let wordPrefix = MatchValue(rawValue: 1)
    package static let substring = MatchValue(rawValue: 2)
    package static let fuzzy = MatchValue(rawValue: 3)
}

extension MatchValue {
    package init(_ match: Match) {
        switch match {
        case .prefix: self = .prefix
        case .wordPrefix: self = .wordPrefix
        case .substring: self = .substring
        case .fuzzy: self = .fuzzy
        }
    }

    /// The value as the domain has it. Nil for a value that this build does not know.
    package var match: Match? {
        switch self {
        case .prefix: .prefix
        case .wordPrefix: .wordPrefix
        case .substring: .substring
        case .fuzzy: .fuzzy
        default: nil
        }
    }
}

extension MatchValue {
    init(_ match: Marvel__V1__Match) { self.init(rawValue: Int32(bitPattern: match.rawValue)) }

    var wireForm: Marvel__V1__Match { Marvel__V1__Match(rawValue: UInt32(bitPattern: rawValue)) }
}
