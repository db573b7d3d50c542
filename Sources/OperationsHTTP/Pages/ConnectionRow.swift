internal import MarvelDomain

package struct ConnectionRow: Sendable, Hashable {
    /// Nil without one, as on a unix socket.
    package let address: String?
    package let wire: String
    package let ageSeconds: Double
    /// Nil if the connection has not begun to speak.
    package let openCalls: Int?
    /// Bytes that wait for the peer to read them.
    package let unsentBytes: Int?

    package init(address: String?, wire: String, ageSeconds: Double, openCalls: Int?, unsentBytes: Int?) {
        self.address = address
        self.wire = wire
        self.ageSeconds = ageSeconds
        self.openCalls = openCalls
        self.unsentBytes = unsentBytes
    }

    /// `count` is the number of all connections.
    static func page(_ rows: [ConnectionRow], of count: Int) -> String {
        let bytes = JSONWriter.object { json in
            json.field("open", count)
            json.key("connections")
            json.array { json in
                for row in rows { json.object { row.write(to: &$0) } }
            }
        }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    private func write(to json: inout JSONWriter) {
        if let address { json.field("address", address) }
        json.field("wire", wire)
        json.key("age_seconds")
        json.json("\((ageSeconds * 1_000).rounded() / 1_000)")
        if let openCalls { json.field("open_calls", openCalls) }
        if let unsentBytes { json.field("unsent_bytes", unsentBytes) }
    }
}
