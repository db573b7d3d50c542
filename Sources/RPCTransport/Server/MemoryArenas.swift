internal import CMalloc
internal import NIOCore

/// The heaps that malloc divides a process's memory into.
package enum MemoryArenas {
    /// Limits their number: one for each event loop and two for all other threads. Must be called before there are
    /// threads.
    ///
    /// glibc gives a thread an arena of its own, up to eight for each core, and an arena hardly ever shrinks. The more
    /// threads wait for disks at the same time, the more arenas there are: a server that is busy for hours would grow
    /// by some 2 MB with each.
    package static func limit() {
        marvel_limit_arenas(CInt(clamping: System.coreCount + 2))
    }
}
