package import Glibc

/// A shell that kills the programs that a test process has left, when the input of the shell ends with that process.
///
/// It works also if the process is killed. `PR_SET_PDEATHSIG` would not do: a child gets that signal when the thread
/// that started it ends.
package struct EndWatch: Sendable {
    static let shared = EndWatch()

    /// The shell's input; nil if the shell could not be started.
    private let input: ReadablePipe?

    package init() {
        let input = try? ReadablePipe()
        let shell = try? ChildProcess(
            "/bin/sh",
            ["-c", Self.script],
            input: input?.readDescriptor,
            isDetached: true
        )
        input?.closeReadEnd()
        self.input = shell == nil ? nil : input
    }

    private static let script = """
        ids=" "
        while read -r change id; do
            case $change in
            began) ids="$ids$id " ;;
            ended) ids="${ids%% $id *} ${ids#* $id }" ;;
            esac
        done
        kill -KILL $ids 2>/dev/null
        """

    package func began(_ id: pid_t) { write("began \(id)\n") }

    /// The id may now become that of another program.
    package func ended(_ id: pid_t) { write("ended \(id)\n") }

    /// Kills the rest, as the end of the process does.
    package func end() { input?.closeWriteEnd() }

    private func write(_ line: String) {
        guard let input else { return }
        // One write of so few bytes is never divided.
        _ = Glibc.write(input.writeEnd, line, line.utf8.count)
    }
}
