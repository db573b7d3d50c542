import ArgumentParser
import HTTPServing
import RPCCore
import RPCTransport
import Systemd

/// The value of a port's option: an address, or `off`.
enum PortAddress: ExpressibleByArgument, Equatable, Sendable {
    case off
    case address(ServerAddress)

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let address = ServerAddress(argument) {
            self = .address(address)
        } else {
            return nil
        }
    }
}

/// A port of the server: the values of its option, and the sockets that the service manager opened for it.
///
/// No other port changes it.
struct ServerPort {
    let name: ServiceManager.SocketName
    let given: [PortAddress]
    let defaultAddress: ServerAddress

    /// The addresses to open. The default is one of them only if there is neither an option nor a socket.
    private var addresses: [ServerAddress] {
        guard !given.isEmpty else { return ServiceManager.inherited(name).isEmpty ? [defaultAddress] : [] }
        return given.compactMap { if case .address(let address) = $0 { address } else { nil } }
    }

    /// Returns the endpoints for calls.
    func endpoints(_ wire: ServerWire) -> [ListeningEndpoint] {
        addresses.map { ListeningEndpoint($0, wire: wire) }
            + ServiceManager.inherited(name).map { ListeningEndpoint($0.address, wire: wire, socket: $0.descriptor) }
    }

    /// The endpoints for pages.
    var pageEndpoints: [HTTPEndpoint] {
        addresses.map { HTTPEndpoint($0) }
            + ServiceManager.inherited(name).map { HTTPEndpoint($0.address, socket: $0.descriptor) }
    }

    /// Checks the values of the option.
    ///
    /// - Throws: `ValidationError` if they contradict each other.
    func validate() throws {
        guard given.count > 1, given.contains(.off) else { return }
        throw ValidationError("--\(name) is off, and has an address too: leave out one.")
    }

    /// Checks that a port that is off has no socket.
    func checkSockets() throws(StartupError) {
        guard given.contains(.off), !ServiceManager.inherited(name).isEmpty else { return }
        throw StartupError(
            .configuration,
            "--\(name) is off, but the service manager opened a socket for that port: leave out one"
        )
    }
}
