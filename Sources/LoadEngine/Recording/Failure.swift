/// A kind of failure, as failures are counted: the status code and the reason.
package struct Failure: Sendable, Hashable, Comparable {
    /// The status code's name: `UNAVAILABLE`.
    package var code: String
    /// The reason in the error, `STREAM_LIMIT`; empty if there is none.
    package var reason: String

    package init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func < (left: Failure, right: Failure) -> Bool {
        (left.code, left.reason) < (right.code, right.reason)
    }
}
