package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package var isNull: Bool { self == .null }
}

/// A value is read only from its own type.
package protocol SQLConvertible {
    init?(_ value: SQLValue)
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    package init(_ value: SQLValue) { self = value }
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }

    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard let number = Int64(value) else { return nil }
        self.init(number)
    }

    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int32: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard let number = Int64(value) else { return nil }
        self.init(exactly: number)
    }

    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard let number = Int64(value) else { return nil }
        self = number != 0
    }

    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }

    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }

    package var sqlValue: SQLValue { .blob(self) }
}
