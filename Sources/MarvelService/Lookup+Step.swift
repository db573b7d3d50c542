internal import Catalog
internal import RPCCore

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
