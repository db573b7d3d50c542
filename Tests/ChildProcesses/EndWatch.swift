package import Glibc

/// A shell that kills the programs that a test process has left, when the input of the shell ends with that process.
///
/// It works also if the process is killed. `PR_SET_PDEATHSIG` would not do: a child gets that signal when the thread
/// that started it ends.
package struct EndWatch: Sendable {
    static let shared = EndWatch()

    /// Nil if it could not be started.
    private let shell: ChildProcess?
    private let input: ReadablePipe?

    package init() {
        input = try? ReadablePipe()
        shell = try? ChildProcess(
            "/bin/sh",
            ["-c", Self.script],
            input: input?.readDescriptor,
            isDetached: true
        )
        input?.closeReadEnd()
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
    package func end() {
        input?.closeWriteEnd()
        // Exit tests wait for any child of the process, and would find this one again and again.
        shell?.wait()
    }

    private func write(_ line: String) {
        guard let input, shell != nil else { return }
        // One write of so few bytes is never divided.
        _ = Glibc.write(input.writeEnd, line, line.utf8.count)
    }
}
