extension RPCError {
    /// The `ErrorInfo` metadata in which this side says whether the call can have reached a server: `no` or `maybe`.
    package static let reachedServerKey = "reached_server"

    /// Whether a server may have seen the call, and so may have carried it out in spite of the failure.
    ///
    /// False only where this side knows that it did not: the call was never sent, or the server said itself that it
    /// had not looked at it.
    public var mayHaveReachedServer: Bool {
        for case .errorInfo(let info) in details where origin == .local {
            return info.metadata[Self.reachedServerKey] != "no"
        }
        return true
    }
}
