import ChildProcesses
import Foundation
import Glibc
import TrialChecks

/// The resources that a process uses, seen from outside.
struct Usage {
    private let server: ServerProcess
    private let usage: ProcessUsage

    init(_ server: ServerProcess) throws {
        self.server = server
        usage = try ProcessUsage(pid: server.processID)
    }

    func residentBytes() throws -> Int { try usage.residentBytes() }
    func descriptorCount() throws -> Int { try entryCount("fd") }
    func threadCount() throws -> Int { try entryCount("task") }

    private func entryCount(_ folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processID)/\(folder)").count
    }

    /// Asks the server for its counters by SIGUSR1, and waits for its line.
    func counters() async throws -> [String: Int] {
        let known = try logSize()
        server.send(SIGUSR1)
        var found: CounterLine?
        try await wait(for: "the counters of the server", atMost: .seconds(60)) {
            guard server.isRunning else { throw RunError("the server ended: \(server.lastWords)") }
            found = CounterLine.all(in: try logText(from: known)).last
            return found != nil
        }
        return found?.counters ?? [:]
    }

    func logSize() throws -> UInt64 { UInt64(fileSize(server.log)) }

    private func logText(from offset: UInt64) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: server.log))
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// In bytes; 0 if there is none.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
