package import NIOCore
package import RPCCore
package import RPCTransport

/// A channel that carries the client's calls as bytes. `RPCClient` implements it; tests bring their own.
package protocol RPCChannel: Sendable {
    /// The messages of a stream. Iterating sends the call. Cancelling the task, or dropping the iterator, cancels it.
    associatedtype Messages: AsyncSequence<ByteBuffer, RPCError> & Sendable

    /// Calls a method that returns one response. A `timeout` of nil sets no deadline of the caller's own.
    /// `isRepeatable` says that sending the call twice has the same effect as sending it once.
    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer

    /// Calls a method that returns a stream. A call that does not wait for a server fails immediately during the
    /// backoff of all servers. Its error holds the time of the next attempt.
    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages

    /// Ends the backoff of servers that did not respond.
    func connectNow()

    /// Closes the connection; active calls end with UNAVAILABLE.
    func shutdown() async
}

extension RPCClient: RPCChannel {}

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
