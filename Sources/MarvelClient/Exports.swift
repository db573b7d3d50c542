// `import MarvelClient` is enough, and brings only the API's types into scope. The modules have more, and names as
// general as `Match` and `Timestamp` belong to the programs that use the client.
@_exported public import struct MarvelDomain.CatalogInfo
@_exported public import struct MarvelDomain.CharacterURL
@_exported public import enum MarvelDomain.DesiredFavorite
@_exported public import struct MarvelDomain.Favorite
@_exported public import struct MarvelDomain.FavoritesChange
@_exported public import struct MarvelDomain.FavoritesList
@_exported public import struct MarvelDomain.FavoritesPlace
@_exported public import enum MarvelDomain.ImageVariant
@_exported public import struct MarvelDomain.ListDeletion
@_exported public import struct MarvelDomain.ListName
@_exported public import struct MarvelDomain.MarvelCharacter
public import enum MarvelDomain.Match
@_exported public import struct MarvelDomain.NameSuggestion
@_exported public import struct MarvelDomain.RequestID
@_exported public import enum MarvelDomain.SnapshotReset
public import struct MarvelDomain.Thumbnail
public import struct MarvelDomain.Timestamp
@_exported public import struct MarvelDomain.ToggleResult
@_exported public import enum RPCCore.ErrorDetail
@_exported public import struct RPCCore.ErrorInfo
@_exported public import struct RPCCore.ErrorReason
@_exported public import struct RPCCore.FieldViolation
@_exported public import struct RPCCore.QuotaViolation
@_exported public import struct RPCCore.RPCError
@_exported public import enum RPCCore.ServerAddress
@_exported public import struct RPCCore.ServerEndpoint
@_exported public import enum RPCCore.StatusCode

extension MarvelClient {
    /// The comparison of a query with names.
    public typealias Match = MarvelDomain.Match
    /// The address of a character's picture.
    public typealias Thumbnail = MarvelDomain.Thumbnail
    /// A moment, in seconds and nanoseconds since 1970.
    public typealias Timestamp = MarvelDomain.Timestamp
}
