/// Names one call on a connection. Calls are opened by clients: odd, each higher than the one before.
/// (PROTOCOL.md, "Stream ID")
package struct StreamID: Sendable, Hashable, Comparable, RawRepresentable, ExpressibleByIntegerLiteral {
    /// Frames about the connection itself travel here. Odd, so that a plain ttrpc server ignores them.
    package static let connection = StreamID(rawValue: 0xFFFF_FFFF)

    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package init(integerLiteral value: UInt32) { self.init(rawValue: value) }

    package var isOdd: Bool { rawValue & 1 == 1 }

    package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}
