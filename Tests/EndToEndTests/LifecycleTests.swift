import ChildProcesses
import Foundation
import Synchronization
import Testing

/// The server's messages to the service manager that started it, and its exit statuses.
@Suite(.timeLimit(.minutes(10)))
struct LifecycleTests {
    /// The socket of a service manager, and the messages that it got.
    private final class Manager: Sendable {
        let name: String
        private let descriptor: Int32

        init(_ name: String) throws {
            self.name = name
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { path in
                path.copyBytes(from: name.utf8)
                if name.hasPrefix("@") { path[0] = 0 }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
            let descriptor = descriptor
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            try #require(bound == 0)
            var time = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// Reads messages up to one that begins with the text; all of them are returned.
        func messages(upTo beginning: String) async throws -> [String] {
            var messages: [String] = []
            repeat {
                messages.append(try #require(try await next(), "after \(messages)"))
            } while !messages[messages.count - 1].hasPrefix(beginning)
            return messages
        }

        private func next() async throws -> String? {
            try await onThread { [descriptor] in
                var bytes = [UInt8](repeating: 0, count: 1_000)
                let count = recv(descriptor, &bytes, bytes.count, 0)
                return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
            }
        }
    }

    @Test(arguments: [false, true]) func theServiceManagerIsToldOfEachStep(_ isAbstract: Bool) async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(isAbstract ? "@marvel-\(UUID())" : folder.path("notify"))
        try "capacity: 5".write(toFile: folder.path("s.yaml"), atomically: true, encoding: .utf8)
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", folder.path("s"), "--config", folder.path("s.yaml")],
            environment: ["NOTIFY_SOCKET": manager.name]
        )
        let start = try await manager.messages(upTo: "READY=1")
        #expect(start.first?.hasPrefix("EXTEND_TIMEOUT_USEC=30000000\nSTATUS=opening") == true, "\(start)")
        let address = try await server.listeningAddress()
        #expect(start.last == "READY=1\nSTATUS=serving builtin at \(address)")
        // A reload ends with READY too if it is refused.
        for text in ["capacity: 6", "capacity: 0"] {
            try text.write(toFile: folder.path("s.yaml"), atomically: true, encoding: .utf8)
            server.send(SIGHUP)
            let reload = try await manager.messages(upTo: "READY=1")
            #expect(reload.count == 2, "\(reload)")
            let match = try #require(reload.first?.prefixMatch(of: /RELOADING=1\nMONOTONIC_USEC=(\d+)\n/))
            #expect(UInt64(match.1) ?? 0 > 0)
        }
        server.send(isAbstract ? SIGINT : SIGTERM)
        let stop = try await manager.messages(upTo: "STOPPING=1")
        #expect(stop == ["STOPPING=1\nSTATUS=draining\nEXTEND_TIMEOUT_USEC=40000000"])
        #expect(await server.waitForEnd() == 0)
    }

    @Test func theWatchdogIsNotified() async throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(folder.path("notify"))
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", folder.path("s")],
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "100000"]
        )
        _ = try await manager.messages(upTo: "READY=1")
        for _ in 0..<3 { #expect(try await manager.messages(upTo: "WATCHDOG=1") == ["WATCHDOG=1"]) }
        #expect(await server.stop() == 0)
    }
}
