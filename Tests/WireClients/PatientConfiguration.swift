package import RPCServer

extension ServerConfiguration {
    /// The usual configuration with times that a busy machine keeps. A test that waits for the end of such a time sets it.
    package static var patient: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.unaryTimeout = .seconds(60)
        configuration.limits.frameTimeout = .seconds(60)
        return configuration
    }
}
