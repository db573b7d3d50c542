import Glibc

/// The wall clock of servers into which `clock-shift.c` is preloaded.
struct ShiftedClock: Sendable {
    private let library: String
    private let file: String

    init(library: String, file: String) throws {
        self.library = library
        self.file = file
        try shift(by: 0)
    }

    var environment: [String: String] { ["LD_PRELOAD": library, "MARVEL_CLOCK_SHIFT": file] }

    /// Writes the shift in place, because the servers have the file mapped.
    func shift(by seconds: Int64) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw RunError("cannot make \(file)") }
        defer { close(descriptor) }
        var seconds = seconds
        guard pwrite(descriptor, &seconds, 8, 0) == 8 else { throw RunError("cannot write \(file)") }
    }
}
