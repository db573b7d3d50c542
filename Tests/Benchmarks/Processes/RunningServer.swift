import Foundation

/// A server that has said where it listens.
final class RunningServer {
    let kind: ServerKind
    /// The port of the load.
    let port: Int
    /// marvel-server takes framed calls whatever its load speaks.
    let framedPort: Int
    private let process: PinnedProcess
    private let store: URL?

    var pid: Int32 { process.pid }

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - kind: Which of the servers it is.
    ///   - command: The program's path and its arguments.
    ///   - core: Which core it may run on; nil: any.
    ///   - folder: Where its log goes.
    ///   - store: The file of its store, which is deleted after it.
    /// - Throws: If it does not start, or is not ready within a minute.
    init(
        _ kind: ServerKind,
        _ command: [String],
        core: Int?,
        folder: URL,
        store: URL? = nil
    ) throws {
        self.kind = kind
        self.store = store
        let log = folder.appendingPathComponent("log-\(UUID().uuidString)")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        process = try PinnedProcess(core: core, command, output: handle, errors: handle)
        for _ in 0..<60_000 {
            let text = try String(contentsOf: log, encoding: .utf8)
            let ports = RunningServer.ports(in: text)
            if ports.count == (kind == .marvelOverGRPC ? 2 : 1) {
                (framedPort, port) = (ports[0], ports[ports.count - 1])
                return
            }
            guard process.isRunning else { throw BenchmarkError("\(kind.rawValue) does not start: \(text)") }
            usleep(1000)
        }
        throw BenchmarkError("\(kind.rawValue) is not ready after a minute")
    }

    deinit {
        process.stop()
        // The stores of all rounds together would fill a small disk.
        guard let store else { return }
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: URL(fileURLWithPath: store.path + suffix))
        }
    }

    /// marvel-server logs addresses, first that of framed calls. The references write the port alone. Whole lines only.
    private static func ports(in log: String) -> [Int] {
        guard let end = log.lastIndex(of: "\n") else { return [] }
        return log[..<end].split(separator: "\n").compactMap { line in
            if let port = Int(line) { return port }
            guard let address = line.range(of: #""address":"127.0.0.1:"#) else { return nil }
            return Int(line[address.upperBound...].prefix(while: \.isNumber))
        }
    }
}
