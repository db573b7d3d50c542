extension RPCError {
    /// The `ErrorInfo` key under which this side says whether the call can have reached a server: `no` or `maybe`.
    package static let reachedServerKey = "reached_server"

    /// Whether a server may have seen the call, and so may have carried it out in spite of the failure.
    ///
    /// False only if this side knows that none did: the call was never sent, or the server itself said that it did not
    /// process the call.
    public var mayHaveReachedServer: Bool {
        for case .errorInfo(let info) in details where origin == .local {
            return info.metadata[Self.reachedServerKey] != "no"
        }
        return true
    }
}
