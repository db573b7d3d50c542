internal import MarvelDomain
internal import RPCCore
internal import RPCServer

enum ConnectionsPage {
    /// `count` is the number of all connections. One on a unix socket has no address.
    static func json(_ connections: [ConnectionDescription], of count: Int) -> String {
        let bytes = JSONWriter.object { json in
            json.field("open", count)
            json.key("connections")
            json.array { json in
                for connection in connections { json.object { write(connection, to: &$0) } }
            }
        }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ connection: ConnectionDescription, to json: inout JSONWriter) {
        if let address = ServerAddress(connection.peer) { json.field("address", "\(address)") }
        json.field("wire", connection.wire)
        json.key("age_seconds")
        json.json("\((connection.age / .milliseconds(1)).rounded() / 1_000)")
        guard let activity = connection.activity else { return }
        json.field("open_calls", activity.openCalls)
        json.field("unsent_bytes", activity.unsentByteCount)
    }
}
