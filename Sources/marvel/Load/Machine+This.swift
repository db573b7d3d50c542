internal import Glibc
internal import LoadEngine

extension Machine {
    /// Returns the description of this machine.
    static func this(testerThreads: Int) -> Machine {
        var names = utsname()
        uname(&names)
        let pages = Int(sysconf(Int32(_SC_PHYS_PAGES)))
        let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return Machine(
            system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux",
            kernel: release,
            processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown",
            cores: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
            memoryBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))),
            testerThreads: testerThreads
        )
    }

    /// Returns the value of the first line of a file that begins with `name`, without surrounding quotes.
    private static func value(of name: String, in path: String, separator: Character) -> String? {
        guard let text = try? TextFile.read(path, maximumByteCount: 1 << 16, isCutAllowed: true) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let line, let place = line.firstIndex(of: separator) else { return nil }
        return String(line[line.index(after: place)...].drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" })
    }
}
