internal import CMarvelMessages

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// The memory that one message is unpacked into, and the limit on it (RELIABILITY D1).
///
/// The first block is on the stack and is enough for a request; what does not fit comes from malloc. Nothing is freed
/// before the end, when all of it is: a decoder frees little before, and a message need not be walked for it. So what
/// counts against the limit is the sum of what was asked for.
struct DecodingMemory: ~Copyable {
    private static let firstBlockByteCount = 1024
    private static let alignment = 16

    /// What comes from malloc begins with the address of what came before it.
    private var newest: UnsafeMutableRawPointer?
    private var firstBlock: UnsafeMutableRawBufferPointer
    private var remaining: Int
    /// Whether an allocation was refused.
    private(set) var isExceeded = false

    private init(byteCount: Int, firstBlock: UnsafeMutableRawBufferPointer) {
        self.remaining = byteCount
        self.firstBlock = firstBlock
    }

    deinit {
        var block = newest
        while let start = block {
            block = start.load(as: UnsafeMutableRawPointer?.self)
            free(start)
        }
    }

    /// Lends memory for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - byteCount: The most that may be asked for in all.
    ///   - body: Gets the memory. No pointer into it may leave.
    /// - Returns: What `body` returned.
    static func with<Result>(byteCount: Int, _ body: (inout DecodingMemory) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: firstBlockByteCount, alignment: alignment) { block in
            var memory = DecodingMemory(byteCount: byteCount, firstBlock: block)
            return body(&memory)
        }
    }

    /// Lends protobuf-c an allocator that returns NULL once the limit is reached.
    mutating func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { memory in
            var allocator = ProtobufCAllocator(
                alloc: { memory, size in
                    memory?.assumingMemoryBound(to: DecodingMemory.self).pointee.allocate(size)
                },
                free: { _, _ in },
                allocator_data: memory
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
        let rounded = (size + Self.alignment - 1) & -Self.alignment
        guard rounded <= firstBlock.count, let start = firstBlock.baseAddress else { return allocateBlock(size) }
        firstBlock = UnsafeMutableRawBufferPointer(start: start + rounded, count: firstBlock.count - rounded)
        return start
    }

    private mutating func allocateBlock(_ size: Int) -> UnsafeMutableRawPointer? {
        guard let block = malloc(Self.alignment + size) else { return nil }
        block.storeBytes(of: newest, as: UnsafeMutableRawPointer?.self)
        newest = block
        return block + Self.alignment
    }
}
