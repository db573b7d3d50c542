internal import RPCCore
internal import WireMessages

extension Step {
    /// Makes the answer off the event loop. It is for methods with a picture in the request or the answer: copying or
    /// checking a megabyte would block the other connections of the loop.
    static func offEventLoop<Response: WireMessage>(
        _ answer: @escaping @Sendable () async throws(RPCError) -> Response
    ) -> Step {
        .later { () async throws(RPCError) in
            try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(RPCError) in
                .last(try await answer().encoded())
            }
        }
    }
}
