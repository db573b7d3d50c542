internal import CMarvelMessages

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// The memory that one message may take while it is unpacked (RELIABILITY D1).
///
/// Memory comes from malloc; what is counted is what is asked for. What is freed is not given back to the budget: a
/// decoder frees little before its end, and the sum needs no record of each allocation's size.
struct DecodingBudget {
    let byteCount: Int
    private var remaining: Int
    /// Whether an allocation was refused.
    private(set) var isExceeded = false

    init(byteCount: Int) {
        self.byteCount = byteCount
        self.remaining = byteCount
    }

    /// Lends protobuf-c an allocator that returns NULL once the budget is spent.
    mutating func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { budget in
            var allocator = ProtobufCAllocator(
                alloc: { budget, size in
                    budget?.assumingMemoryBound(to: DecodingBudget.self).pointee.allocate(size)
                },
                free: { _, pointer in free(pointer) },
                allocator_data: budget
            )
            return body(&allocator)
        }
    }

    private mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        // A size that C computed in size_t may be negative here.
        guard size >= 0, size <= remaining else {
            isExceeded = true
            return nil
        }
        remaining -= size
        return malloc(size)
    }
}
