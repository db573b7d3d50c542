import Foundation
import Testing
import WireClients

/// A second network on this machine, linked to the first by one cable that can be cut.
///
/// Its addresses are of a prefix drawn at random, as RFC 4193 has it: nobody else on this machine has them, and what goes
/// elsewhere continues as before.
final class FarNetwork {
    /// The host of a server there, with the port to follow.
    let host: String
    private let name: String
    private var programs: [RunningProgram] = []

    private init() {
        let groups = (0..<3).map { _ in String(UInt16.random(in: 0...UInt16.max), radix: 16) }
        host = "fdfe:\(groups.joined(separator: ":"))::2"
        name = "marvel-\(UInt16.random(in: 0...UInt16.max))"
    }

    /// Makes the network, runs `body`, stops what it has started there, and takes the network away.
    static func run(_ body: (FarNetwork) async throws -> Void) async throws {
        let network = FarNetwork()
        try await running {
            try await network.layCable()
            try await body(network)
        } finally: {
            for program in network.programs {
                await program.stop()
            }
            // Takes both ends of the cable along.
            _ = try await attempt("netns delete \(network.name)")
        }
    }

    private func layCable() async throws {
        let (near, far) = ("\(name)-n", "\(name)-f")
        try await Self.ip("netns add \(name)")
        try await Self.ip("link add \(near) type veth peer name \(far) netns \(name)")
        // Without the second in which a network is asked whether an address is taken.
        try await Self.ip("address add \(host.dropLast())1/64 dev \(near) nodad")
        try await Self.ip("-n \(name) address add \(host)/64 dev \(far) nodad")
        try await Self.ip("link set \(near) up")
        try await Self.ip("-n \(name) link set \(far) up")
        try await Self.ip("-n \(name) link set lo up")
    }

    /// Starts a program of this package there.
    func start(_ program: String, _ arguments: [String]) throws -> RunningProgram {
        let path = RunningProgram.path(program)
        let started = try RunningProgram(Self.tool, ["netns", "exec", name, path] + arguments, environment: Stand.keys)
        programs.append(started)
        return started
    }

    /// Nothing arrives on either side from here on, and neither is told.
    func cutCable() async throws {
        try await Self.ip("-n \(name) link set \(name)-f down")
    }

    // MARK: ip(8)

    private static let tool = "/usr/sbin/ip"

    /// Whether this user may make such a network, and this kernel can.
    static var isPossible: Bool {
        get async {
            let network = FarNetwork()
            let isLaid: Void? = try? await network.layCable()
            _ = try? await attempt("netns delete \(network.name)")
            return isLaid != nil
        }
    }

    private static func attempt(_ line: String) async throws -> (status: Int32, errors: String) {
        let run = try await RunningProgram.run(tool, line.split(separator: " ").map(String.init))
        return (run.status, run.errors)
    }

    private static func ip(_ line: String) async throws {
        let (status, errors) = try await attempt(line)
        guard status == 0 else { throw Failure(description: "ip \(line): \(errors)") }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
