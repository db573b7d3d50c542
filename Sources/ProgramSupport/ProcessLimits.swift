internal import CMarvelSystem
internal import Glibc
internal import NIOCore
internal import RPCCore

/// The limits of the process (setrlimit(2)). Below them libraries crash, or wait forever for a thread.
enum ProcessLimits {
    /// Files, listeners, and three for each event loop.
    private static let descriptors = 96 + 4 * System.coreCount
    /// Files, and the stacks and malloc's arenas of the threads. Most of it is never used.
    private static let addressBytes = (768 + 96 * System.coreCount) << 20
    private static let threads = 8 + 4 * System.coreCount

    /// Raises the limit of descriptors to the maximum. Throws `StartupError` with the limit and the remedy.
    static func check() throws(StartupError) {
        let fileCount = DescriptorLimit.raise()
        guard fileCount >= descriptors else {
            throw StartupError(
                .configuration,
                "this process may open \(fileCount) files, a server needs \(descriptors): raise the limit "
                    + "(ulimit -n, LimitNOFILE=)"
            )
        }
        var space = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)
        guard space.rlim_cur >= addressBytes else {
            throw StartupError(
                .configuration,
                "the address space of this process is limited to \(space.rlim_cur >> 20) MiB, a server needs "
                    + "\(addressBytes >> 20): raise the limit (ulimit -v, LimitAS=), and limit memory with MemoryMax= or "
                    + "a container"
            )
        }
        guard marvel_can_start_threads(CInt(threads)) != 0 else {
            throw StartupError(
                .resources,
                "this process cannot start \(threads) threads: raise the limit of the user's processes (ulimit -u, "
                    + "TasksMax=, pids.max), or free memory"
            )
        }
    }
}

package enum ProcessMemory {
    /// Call it before there are threads. glibc gives a thread an arena of its own, up to eight for each core, and an
    /// arena hardly ever shrinks. A busy server would grow by some 2 MB with each.
    package static func limitArenas() {
        marvel_limit_arenas(CInt(clamping: System.coreCount + 2))
    }

    /// No core file is written, and only root may read the memory. Returns whether all of it was possible.
    @discardableResult
    package static func forbidDumps() -> Bool { marvel_forbid_dumps() != 0 }

    /// Releases the pages of the program's file that only its start needed: more than half of an idle server's memory.
    /// A debug build keeps them: a debugger writes its breakpoints into them.
    package static func releaseStart() {
        #if !DEBUG
        marvel_release_file_pages()
        #endif
    }
}
