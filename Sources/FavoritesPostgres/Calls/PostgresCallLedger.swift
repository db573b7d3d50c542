internal import MarvelDomain
package import Upstream

/// The calls to a gateway that several servers make from one budget, in their database.
package final class PostgresCallLedger: SharedCallLedger {
    private let gateway: String
    private let reader: DatabaseReader

    init(gateway: String, _ reader: DatabaseReader) {
        self.gateway = gateway
        self.reader = reader
    }

    /// Replaces the claims of a server, and reserves calls for it.
    ///
    /// The reader does it again if its connection was lost in the commit. Then the claims replace what was reserved, so no
    /// call is counted twice.
    package func exchange(_ exchange: CallExchange) async -> CallExchange.Reply? {
        try? await reader.run { [gateway] connection throws(DatabaseFault) in
            let rows = try connection.run(.shareCalls, Parameters(exchange, gateway: gateway))
            guard rows.count == 1 else { throw .malformed("share_calls returned \(rows.count) rows") }
            return try CallExchange.Reply(rows)
        }
    }
}

extension PostgresFavoritesStore {
    /// Returns the calls to a gateway that are shared in the same database. They are closed with the store.
    package func calls(to gateway: String) -> PostgresCallLedger { PostgresCallLedger(gateway: gateway, reader) }
}

extension Parameters {
    fileprivate init(_ exchange: CallExchange, gateway: String) {
        self.init()
        add(gateway)
        add(exchange.replica)
        add(Int64(exchange.callsPerDay))
        add(Int64(exchange.wanted))
        add(exchange.claims.map(\.hour))
        add(exchange.claims.map { Int64($0.count) })
        add(Int64(exchange.earlierCalls))
        let (change, pause): (Int64, CallExchange.Pause?) =
            switch exchange.pauseChange {
            case .none: (0, nil)
            case .began(let pause): (1, pause)
            case .ended: (2, nil)
            }
        add(change)
        add(pause?.timeLeft.milliseconds ?? 0)
        add(pause?.isProbed == true ? 1 : 0)
    }
}

extension CallExchange.Reply {
    fileprivate init(_ rows: Rows) throws(DatabaseFault) {
        self.init(
            hour: try rows.integer(0, 0),
            granted: Int(try rows.integer(0, 1)),
            usableTime: .milliseconds(try rows.integer(0, 2)),
            oldestHour: try rows.integer(0, 3),
            used: Int(try rows.integer(0, 4)),
            share: Int(try rows.integer(0, 5)),
            refillTime: .milliseconds(try rows.integer(0, 6)),
            pause: rows.isNull(0, 7)
                ? nil
                : CallExchange.Pause(
                    timeLeft: .milliseconds(try rows.integer(0, 7)),
                    isProbed: try rows.boolean(0, 8)
                ),
            pauseRevision: try rows.integer(0, 9)
        )
    }
}

extension Duration {
    /// The whole milliseconds.
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension Statement {
    /// Columns: hour, granted, time for which they may be made, oldest hour, used, share, time until more are available,
    /// time left of the pause, whether it is probed, the pause's revision. Times are in milliseconds.
    fileprivate static let shareCalls = Statement(
        name: "share_calls",
        text: "SELECT * FROM marvel.share_calls_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )
}
