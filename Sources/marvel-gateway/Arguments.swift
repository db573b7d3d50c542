internal import ArgumentParser
package import GatewayHTTP
internal import RPCCore

struct TCPAddress: ExpressibleByArgument, CustomStringConvertible {
    static let `default` = TCPAddress(host: "127.0.0.1", port: 6163)

    let host: String
    /// 0 for any free port.
    let port: Int

    init?(argument: String) {
        guard case .tcp(let host, let port) = ServerAddress(argument) else { return nil }
        self.init(host: host, port: port)
    }

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    var description: String { "\(ServerAddress.tcp(host: host, port: port))" }
}

extension RefererPattern: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Ratio: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package var defaultValueDescription: String { String(value) }
}

extension LatencyRange: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package var defaultValueDescription: String { "0ms" }
}

extension RollingQuota.Limit: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// An origin without a slash at the end: `http://HOST[:PORT]`, or the same with https.
struct PublicURL: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        let authority = argument.drop { $0 != ":" }.dropFirst(3)
        guard argument.hasPrefix("http://") || argument.hasPrefix("https://"), !authority.isEmpty,
            !authority.contains(where: { "/?#@ ".contains($0) })
        else { return nil }
        self.text = argument
    }
}
