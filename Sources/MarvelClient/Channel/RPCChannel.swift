package import NIOCore
package import RPCCore

/// What carries the client's calls: bytes out, bytes in. `RPCClient` is one; tests bring their own.
package protocol RPCChannel: Sendable {
    /// Iterating sends the call. Cancelling the task, or dropping the iterator, cancels it.
    associatedtype Messages: AsyncSequence<ByteBuffer, RPCError> & Sendable

    /// Calls a method that answers once. A `timeout` of nil sets no deadline of the caller's own. A call that
    /// `isRepeatable` does no more when it is sent twice than when it is sent once.
    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer

    /// Calls a method that answers with a stream. One that does not wait for a server fails at once while none is to be
    /// tried, and tells when that is.
    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages

    /// Tries servers again at once that did not answer.
    func connectNow()

    /// Closes the connection; calls under way end with UNAVAILABLE.
    func shutdown() async
}

extension MethodPath {
    static let searchCharacters = MethodPath(service: "marvel.v1.MarvelService", method: "SearchCharacters")
    static let getCharacter = MethodPath(service: "marvel.v1.MarvelService", method: "GetCharacter")
    static let suggestNames = MethodPath(service: "marvel.v1.MarvelService", method: "SuggestNames")
    static let getThumbnail = MethodPath(service: "marvel.v1.MarvelService", method: "GetThumbnail")
    static let toggleFavorite = MethodPath(service: "marvel.v1.MarvelService", method: "ToggleFavorite")
    static let listFavorites = MethodPath(service: "marvel.v1.MarvelService", method: "ListFavorites")
    static let watchFavorites = MethodPath(service: "marvel.v1.MarvelService", method: "WatchFavorites")
    static let createCharacter = MethodPath(service: "marvel.v1.MarvelService", method: "CreateCharacter")
    static let updateCharacter = MethodPath(service: "marvel.v1.MarvelService", method: "UpdateCharacter")
    static let checkHealth = MethodPath(service: "grpc.health.v1.Health", method: "Check")
}
