import Logging
import NIOCore
import NIOPosix
import RPCCore
import RPCServer
import Synchronization

@testable import GatewayHTTP

/// A gateway on a free port of this machine, for as long as a test uses it.
struct RunningGateway: Sendable {
    let port: Int
    let log: RecordedLog
    private let server: RPCServer

    static func with<Result: Sendable>(
        _ fixture: GatewayFixture = GatewayFixture(),
        _ use: @Sendable (RunningGateway) async throws -> Result
    ) async throws -> Result {
        let log = RecordedLog()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(log: log) }
        let server = try await GatewayServer.start(
            fixture.gateway(),
            at: .tcp(host: "127.0.0.1", port: 0),
            logger: logger
        )
        defer { server.stop() }
        guard case .tcp(_, let port) = server.addresses.first else { throw NotListening() }
        let result = try await use(RunningGateway(port: port, log: log, server: server))
        server.stop()
        await server.run()
        return result
    }

    func stop() { server.stop() }

    /// Sends bytes, and reads until the gateway closes the connection.
    func exchange(_ request: String) async throws -> RawReply {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var bytes: [UInt8] = []
            for try await buffer in inbound { bytes += buffer.readableBytesView }
            return RawReply(all: String(decoding: bytes, as: UTF8.self))
        }
    }

    func firstAnswerIsLogged() async throws {
        while !log.lines.contains(where: { $0.contains("answered") }) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private struct NotListening: Error {}
}

/// An HTTP answer as it came, or several behind each other; the parts are those of the first.
struct RawReply: Sendable {
    let all: String

    private var head: Substring { all.firstRange(of: "\r\n\r\n").map { all[..<$0.lowerBound] } ?? all[...] }
    var body: String { all.firstRange(of: "\r\n\r\n").map { String(all[$0.upperBound...]) } ?? "" }
    var statusLine: String { head.split(separator: "\r\n").first.map(String.init) ?? "" }

    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
            return String(line[colon...].dropFirst().drop { $0 == " " })
        }
        return nil
    }
}

/// Every log line.
final class RecordedLog: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func append(_ line: String) { state.withLock { $0.append(line) } }
}

struct RecordingLogHandler: LogHandler {
    let log: RecordedLog
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.append("\(event.message) \(metadata) \(event.metadata ?? [:])")
    }
}
