// The Swift of the article WritingAService that is not in Tally.swift, which a test of the manuals looks for here. The
// functions are compiled, and not called.
import RPCServer
import TallyService
import TransportSecurity

private func serve() async throws {
    let server = try await RPCServer.listen(on: [.tcp(host: "127.0.0.1", port: 8080)], services: [Tally().service])
    print(server.addresses)
    await server.run()  // until another task calls drain() or close()
}

private func setLimits() {
    var configuration = ServerConfiguration()
    configuration.software = "tally/1.0"
    configuration.quotas.anonymous = CallerLimits(callsPerSecond: 500, callBurst: 1_000, bytesPerSecond: 0)
    print(configuration)
}

private func serveByTLS(_ services: [RPCService]) async throws {
    let tls = try ServerTLS(certificate: "server.pem", key: "server.key")
    let address = ServerAddress.tcp(host: "0.0.0.0", port: 8443)
    let server = try await RPCServer.listen(on: [address], services: services, security: tls.security)
    await tls.watch()  // serves a new certificate when the files change
    print(server)
}
