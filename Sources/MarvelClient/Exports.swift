// What the client hands out comes with it: `import MarvelClient` is enough to use characters, favorites, addresses
// and errors.
@_exported public import MarvelDomain
@_exported public import RPCCore
