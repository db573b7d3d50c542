internal import RPCCore
internal import WireMessages

extension Step {
    /// An answer with a picture in it, or in its request: there may be a megabyte to copy or to look at, and an event
    /// loop has others to serve.
    static func elsewhere<Response: WireMessage>(
        _ answer: @escaping @Sendable () async throws(RPCError) -> Response
    ) -> Step {
        .later { () async throws(RPCError) in
            try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(RPCError) in
                .last(try await answer().encoded())
            }
        }
    }
}
