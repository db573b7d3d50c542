import ChildProcesses
import Glibc
import RPCCore
import Testing

@testable import ProgramSupport

/// Sockets that a service manager hands over.
@Suite struct SocketActivationTests {
    private static let names = ["framed", "grpc"]

    private func passed(_ environment: [String: String]) throws -> [(descriptor: Int32, name: String)] {
        try SocketActivation.passed(environment: environment, processID: 7, names: Self.names)
    }

    @Test(arguments: [
        (["LISTEN_FDS": "2", "LISTEN_PID": "7", "LISTEN_FDNAMES": "grpc:framed"], ["3 grpc", "4 framed"]),
        (["LISTEN_FDS": "2", "LISTEN_PID": "7", "LISTEN_FDNAMES": "framed:framed"], ["3 framed", "4 framed"]),
        (["LISTEN_FDS": "1", "LISTEN_PID": "8", "LISTEN_FDNAMES": "framed"], []),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "framed"], []), (["LISTEN_FDS": "0", "LISTEN_PID": "7"], []), ([:], []),
    ]) func theVariablesNameSockets(_ environment: [String: String], _ wanted: [String]) throws {
        #expect(try passed(environment).map { "\($0.descriptor) \($0.name)" } == wanted)
    }

    @Test(arguments: [
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"], "is named http; it must be one of framed, grpc"),
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "framed"], "does not name as many sockets"),
        (["LISTEN_FDS": "1"], "does not name as many sockets"),
        (["LISTEN_FDS": "-1"], "LISTEN_FDS is -1"), (["LISTEN_FDS": "99999999999"], "LISTEN_FDS is 99999999999"),
        (["LISTEN_FDS": "2147483647"], "it must be 0 to 64"),
    ]) func anUnexpectedSocketIsRefused(_ variables: [String: String], _ text: String) {
        let environment = variables.merging(["LISTEN_PID": "7"]) { given, _ in given }
        let error = #expect(throws: StartupError.self) { try passed(environment) }
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        #expect(error?.exitStatus == 78)
    }

    /// Opens a socket, binds it to a free port, and hands it over.
    private func inherited(isStream: Bool = true, listens: Bool) throws -> (InheritedSocket, port: Int) {
        let (descriptor, port) = try bindToLoopback(isStream: isStream)
        defer { close(descriptor) }
        if listens { try #require(listen(descriptor, 1) == 0) }
        return (try InheritedSocket(descriptor: descriptor, name: "framed"), port)
    }

    @Test func aListeningSocketHasItsAddress() throws {
        let (socket, port) = try inherited(listens: true)
        #expect(socket.address == .tcp(host: "127.0.0.1", port: port))
    }

    @Test func aSocketOfAnotherKindIsRefused() {
        #expect(throws: StartupError.self) { try inherited(listens: false) }
        #expect(throws: StartupError.self) { try inherited(isStream: false, listens: false) }
        #expect(throws: StartupError.self) { try InheritedSocket(descriptor: 100_000, name: "framed") }
    }
}
