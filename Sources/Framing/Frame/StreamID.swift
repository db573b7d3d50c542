/// The identifier of one call on a connection. Clients open calls, so it is odd, and higher than the one before.
/// (ttrpc's PROTOCOL.md, "Stream ID")
package struct StreamID: Sendable, Hashable, Comparable, RawRepresentable, ExpressibleByIntegerLiteral {
    /// The stream of frames about the connection itself. It is odd, so that a plain ttrpc server ignores them.
    package static let connection = StreamID(rawValue: 0xFFFF_FFFF)

    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package init(integerLiteral value: UInt32) { self.init(rawValue: value) }

    package var isOdd: Bool { rawValue & 1 == 1 }

    package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}
