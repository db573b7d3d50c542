// These modules hold types of the client's API: `import MarvelClient` is enough to use characters, favorites, addresses
// and errors.
@_exported public import MarvelDomain
@_exported public import RPCCore
