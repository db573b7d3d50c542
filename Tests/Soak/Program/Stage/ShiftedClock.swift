import Glibc
import LongRuns

/// The wall clock of a server into which `clock-shift.c` is preloaded.
struct ShiftedClock: Sendable {
    private let file: String
    private let library: String

    init(library: String, file: String) throws {
        self.library = library
        self.file = file
        try shift(by: 0)
    }

    var environment: [String: String] { ["LD_PRELOAD": library, "MARVEL_CLOCK_SHIFT": file] }

    /// In place: the server has the file mapped.
    func shift(by seconds: Int64) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw RunError("cannot make \(file)") }
        defer { close(descriptor) }
        var seconds = seconds
        guard pwrite(descriptor, &seconds, 8, 0) == 8 else { throw RunError("cannot write \(file)") }
    }
}
