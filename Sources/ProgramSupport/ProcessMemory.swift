internal import CMarvelSystem
internal import NIOCore

package enum ProcessMemory {
    /// Limits the number of malloc's arenas: one for each event loop and two for all other threads. Call it before
    /// there are threads.
    ///
    /// glibc gives a thread an arena of its own, up to eight for each core. An arena hardly ever shrinks. The more
    /// threads wait for disks concurrently, the more arenas there are. A busy server would grow by some 2 MB with each.
    package static func limitArenas() {
        marvel_limit_arenas(CInt(clamping: System.coreCount + 2))
    }

    /// Protects the secrets in memory: no core file is written, and only root may read it or attach a debugger.
    ///
    /// - Returns: Whether all of it was possible.
    @discardableResult
    package static func forbidDumps() -> Bool { marvel_forbid_dumps() != 0 }

    /// Releases the pages of the program's file that only its start has needed: more than half of an idle server's
    /// memory. Pages that are needed again are in the kernel's page cache.
    ///
    /// A debug build keeps them: a debugger writes its breakpoints into them.
    package static func releaseStart() {
        #if !DEBUG
        marvel_release_file_pages()
        #endif
    }
}
