import Dispatch
import Glibc

/// The built program as a child process with its output in our hands. Its calls block: use `onThread`.
struct Process {
    let id: pid_t
    private let output: Int32
    private let errors: Int32

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - hasReader: Whether anybody reads the standard output; if not, writing to it fails.
    /// - Throws: `ProcessError` if it cannot be started.
    init(_ arguments: [String], hasReader: Bool = true) throws {
        let (outputRead, outputWrite) = try Process.pipe()
        let (errorsRead, errorsWrite) = try Process.pipe()
        if !hasReader { close(outputRead) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, outputWrite, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorsWrite, STDERR_FILENO)

        var argumentPointers = ([Process.program] + arguments).map { strdup($0) } + [nil]
        defer { argumentPointers.forEach { free($0) } }
        var noEnvironment: [UnsafeMutablePointer<CChar>?] = [nil]
        var id = pid_t()
        let failure = posix_spawn(&id, Process.program, &actions, nil, &argumentPointers, &noEnvironment)
        close(outputWrite)
        close(errorsWrite)
        guard failure == 0 else { throw ProcessError(call: "posix_spawn", number: failure) }
        self.id = id
        self.output = hasReader ? outputRead : -1
        self.errors = errorsRead
    }

    func interrupt() {
        kill(id, SIGINT)
    }

    /// Waits for the end and returns all that was written. To be called once.
    func finish() -> (status: Int32, output: String, errors: String) {
        let outputText = Process.readAll(output)
        let errorsText = Process.readAll(errors)
        var status: Int32 = 0
        waitpid(id, &status, 0)
        // As the shell has it: the exit status, or 128 and the number of the signal.
        let signal = status & 0x7F
        return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, outputText, errorsText)
    }

    /// `marvel`, beside the test bundle that runs.
    private static var program: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let bundle = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return bundle.prefix(through: bundle.lastIndex(of: "/") ?? bundle.startIndex) + "marvel"
    }

    /// Sockets, because they can be made so that no other child inherits them: one that held the far end of this
    /// child's output would keep it open.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ProcessError(call: "socketpair", number: errno) }
        return (ends[0], ends[1])
    }

    private static func readAll(_ descriptor: Int32) -> String {
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
        }
    }
}

struct ProcessError: Error {
    var call: String
    var number: Int32
}

/// Runs what blocks where it blocks no other test.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
    }
}
