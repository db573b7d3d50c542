/// The servers that are measured side by side.
enum ServerKind: String, Codable, CaseIterable {
    case marvel = "marvel-server"
    /// `bare-server.c`, which sends ready bytes: the limit.
    case bare = "C, ready bytes"
    /// `bare-server.c`, which has libprotobuf-c encode each answer.
    case encoding = "C, libprotobuf-c"
    /// `grpc-server.cc`: what one would take instead.
    case grpc = "gRPC C++"

    /// Whether the load speaks frames with it.
    var isFramed: Bool { self != .grpc }
}
