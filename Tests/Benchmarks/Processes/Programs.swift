/// Where the programs are.
struct Programs {
    /// The release build's `marvel-server`.
    var server: String
    /// This program, which is also the load on framed servers.
    var load: String
    /// The folder that `References/build` fills.
    var references: String

    var bareServer: String { references + "/bare-server" }
    var bareFavorites: String { references + "/bare-favorites" }
    var grpcServer: String { references + "/grpc-server" }
    var grpcLoad: String { references + "/grpc-load" }
    var mallocCounter: String { references + "/malloc-counter.so" }
}
