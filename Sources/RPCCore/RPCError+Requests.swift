extension RPCError {
    /// The error for a request that is larger than its method takes.
    package static func requestTooLarge(_ byteCount: Int, maximum: Int) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "request has \(byteCount) bytes, maximum is \(maximum)",
            metadata: ["bytes": "\(byteCount)", "maximum": "\(maximum)"]
        )
    }
}
