import Foundation

/// A pipe whose ends no other child inherits.
struct ReadablePipe: Sendable {
    let writeEnd: Int32
    private let readEnd: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func closeWriteEnd() {
        close(writeEnd)
    }

    /// Hands over what arrives until nobody can write any more. Blocks: it has a thread of its own.
    func readToEnd(_ receive: (Data) -> Void) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(readEnd, &bytes, bytes.count)
            if count > 0 {
                receive(Data(bytes.prefix(count)))
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(readEnd)
    }
}

/// Starts a program with these three descriptors and no other.
func spawn(
    _ path: String,
    _ arguments: [String],
    _ environment: [String],
    output: Int32,
    errors: Int32
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // Descriptors that other tests have open without knowing of this child; closing what is not open does nothing.
    for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var argumentPointers = arguments.map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var processID: pid_t = 0
    let result = posix_spawn(&processID, path, &actions, nil, &argumentPointers, &environmentPointers)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
    return processID
}
