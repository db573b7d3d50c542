package import MarvelDomain

/// The enum `marvel.v1.Desired`. A value that this build does not know is kept.
package struct DesiredValue: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let toggle = DesiredValue(rawValue: 0)
    package static let saved = DesiredValue(rawValue: 1)
    package static let removed = DesiredValue(rawValue: 2)
}

extension DesiredValue {
    package init(_ desired: Toggle.Desired) {
        switch desired {
        case .toggle: self = .toggle
        case .saved: self = .saved
        case .removed: self = .removed
        }
    }

    /// The value as the domain has it. Nil for a value that this build does not know.
    package var desired: Toggle.Desired? {
        switch self {
        case .toggle: .toggle
        case .saved: .saved
        case .removed: .removed
        default: nil
        }
    }
}
