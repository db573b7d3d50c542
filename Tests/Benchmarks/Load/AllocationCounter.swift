import Glibc

/// Reads what `malloc-counter.c` counts in another process: the first eight bytes of a file that both have mapped.
struct AllocationCounter {
    private let count: UnsafePointer<Int>

    init(path: String) throws {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw SystemError("open") }
        defer { close(file) }
        let memory = mmap(nil, MemoryLayout<Int>.size, PROT_READ, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else { throw SystemError("mmap") }
        count = UnsafePointer(memory.assumingMemoryBound(to: Int.self))
    }

    /// Never unmapped: it lives as long as the process.
    var value: Int { count.pointee }
}
