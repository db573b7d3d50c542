/// A point in time in UTC, with the fields of `google.protobuf.Timestamp`.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z, negative before it.
    public var seconds: Int64
    /// The fraction of the second, 0 to 999,999,999. It counts forward also before 1970.
    public var nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
