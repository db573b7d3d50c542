internal import ArgumentParser
package import GatewayHTTP

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
