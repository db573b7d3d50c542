internal import Catalog
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

extension Lookup {
    /// Answers at once if the value is in memory, and otherwise when the catalog has fetched it.
    func step(_ answer: @escaping @Sendable (Value) throws(RPCError) -> Step) throws(RPCError) -> Step {
        switch self {
        case .ready(let value):
            return try answer(value)
        case .later(let fetch):
            return .later { () async throws(RPCError) in
                let value: Value
                do throws(CatalogError) {
                    value = try await fetch()
                } catch {
                    throw RPCError(error)
                }
                return try answer(value)
            }
        }
    }
}

extension WireMessage {
    /// Decodes the request of a call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - limit: The limits of decoding.
    /// - Throws: INVALID_ARGUMENT if the payload is not an encoding of it; with the field if its text is invalid.
    init(_ call: IncomingCall, limit: DecodingLimit = .request) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: call.payload, limit: limit)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}
