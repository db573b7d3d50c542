/// The identifier of one call on its connection, on every wire: the number of its stream.
package struct StreamID: Sendable, Hashable, Comparable, RawRepresentable, ExpressibleByIntegerLiteral {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package init(integerLiteral value: UInt32) { self.init(rawValue: value) }

    package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}
