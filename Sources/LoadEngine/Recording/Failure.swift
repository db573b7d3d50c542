/// A way to fail, as failures are counted: the status and its reason.
package struct Failure: Sendable, Hashable, Comparable {
    /// The status code's name: `UNAVAILABLE`.
    package var code: String
    /// The reason that the error carries, `STREAM_LIMIT`; empty if it carries none.
    package var reason: String

    package init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func < (left: Failure, right: Failure) -> Bool {
        (left.code, left.reason) < (right.code, right.reason)
    }
}
