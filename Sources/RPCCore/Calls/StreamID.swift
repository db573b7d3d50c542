/// The identifier of a call on its connection, on every wire: the number of its stream.
///
/// Its comparisons are inlinable and not derived: other targets would call those through the protocol, which is slower.
@usableFromInline
package struct StreamID: Sendable, Hashable, Comparable, RawRepresentable, ExpressibleByIntegerLiteral {
    @usableFromInline
    package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    @inlinable
    package init(integerLiteral value: UInt32) { self.init(rawValue: value) }

    @inlinable
    package static func == (left: StreamID, right: StreamID) -> Bool { left.rawValue == right.rawValue }

    @inlinable
    package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }

    @inlinable
    package static func > (left: StreamID, right: StreamID) -> Bool { left.rawValue > right.rawValue }
}

package enum CallOpening: Sendable, Hashable {
    case send(StreamID)
    /// The server's limit of open calls is reached: try again when one has ended.
    case wait
    case refuse
}
