internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension Step {
    /// Use it for methods with a picture: copying or checking a megabyte would block the loop's other connections.
    static func offEventLoop(_ answer: @escaping @Sendable () async throws(RPCError) -> Step) -> Step {
        .later { () async throws(RPCError) in
            try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(RPCError) in
                try await answer()
            }
        }
    }
}

extension Lookup {
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

func fromStore<Value>(_ work: () async throws(StoreError) -> Value) async throws(RPCError) -> Value {
    do throws(StoreError) {
        return try await work()
    } catch {
        throw RPCError(error)
    }
}

extension WireMessage {
    /// Throws INVALID_ARGUMENT, with the field if its text is invalid.
    init(_ call: borrowing IncomingCall, limit: DecodingLimit = .request) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: call.payload, limit: limit)
        } catch {
            throw RPCError(undecodable: error)
        }
    }
}

extension IncomingCall {
    /// Throws LIST_NAME_INVALID, or the error of a caller who may not use the list, whether it exists or not.
    func list(_ text: String, for use: ListUse) throws(RPCError) -> ListName {
        let list = try ListName(request: text)
        try check(use, list: list.text)
        return list
    }

    /// Nil if the request names no list, and the caller may not read the default list. Throws like `list(_:for:)`.
    func markingList(_ text: String) throws(RPCError) -> ListName? {
        guard !text.isEmpty || principal.grants.allows(.reading, list: ListName.default.text) else { return nil }
        return try list(text, for: .reading)
    }
}
