internal import ArgumentParser
internal import MarvelClient

/// A list of addresses, separated by commas: `127.0.0.1:6160,unix:/run/marvel.sock`.
struct ServerList: ExpressibleByArgument, Equatable {
    let addresses: [ServerAddress]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        var addresses: [ServerAddress] = []
        for part in parts {
            guard let address = ServerAddress(String(part)) else { return nil }
            addresses.append(address)
        }
        self.addresses = addresses
    }
}
