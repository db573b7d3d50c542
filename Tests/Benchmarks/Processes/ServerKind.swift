/// The servers that are measured side by side.
enum ServerKind: String, Codable, CaseIterable {
    case marvel = "marvel-server"
    /// The same over gRPC, loaded by `grpc-load.cc`.
    case marvelOverGRPC = "marvel-server, gRPC"
    /// `bare-server.c`, which has libprotobuf-c decode each request and encode each answer.
    case encoding = "C"
    /// `bare-favorites.c`, which keeps lists in the same tables, of a file or of a database.
    case favorites = "C, favorites"
    /// `grpc-server.cc`: what one would take instead.
    case grpc = "gRPC C++"

    /// Whether the load speaks frames with it.
    var isFramed: Bool { self != .grpc && self != .marvelOverGRPC }
}

/// The paths of the programs.
struct Programs {
    /// The release build's `marvel-server`.
    var server: String
    /// This program, which is also the load on framed servers.
    var load: String
    /// The folder that `References/build` fills.
    var references: String

    var bareServer: String { references + "/bare-server" }
    var bareFavorites: String { references + "/bare-favorites" }
    var bareFavoritesPostgres: String { references + "/bare-favorites-postgres" }
    var grpcServer: String { references + "/grpc-server" }
    var grpcLoad: String { references + "/grpc-load" }
}
