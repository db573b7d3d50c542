/// The servers that are measured side by side.
enum ServerKind: String, Codable, CaseIterable {
    case marvel = "marvel-server"
    /// The same over gRPC, loaded by `grpc-load.cc`.
    case marvelOverGRPC = "marvel-server, gRPC"
    /// `pages-server.c`, which copies the encoded characters of a page.
    case pages = "C, pages"
    /// The same, which has libprotobuf-c encode each page.
    case encoding = "C"
    /// `floor-server.c`, which sends ready bytes.
    case floor = "floor"
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
    /// This program, which also watches.
    var bench: String
    /// The folder that `References/build` fills.
    var references: String

    var pagesServer: String { references + "/pages-server" }
    var floorServer: String { references + "/floor-server" }
    var bareFavorites: String { references + "/bare-favorites" }
    var bareFavoritesPostgres: String { references + "/bare-favorites-postgres" }
    var grpcServer: String { references + "/grpc-server" }
    var framedLoad: String { references + "/framed-load" }
    var grpcLoad: String { references + "/grpc-load" }
}
