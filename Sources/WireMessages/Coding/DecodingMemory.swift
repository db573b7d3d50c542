internal import CMarvelMessages
private import Glibc

/// The limit applies to the sum of all allocations. The first block is on the stack and is enough for a request.
struct DecodingMemory: ~Copyable {
    private static let firstBlockByteCount = 1024
    private static let alignment = 16

    /// Each block begins with the address of the previous one.
    private var newest: UnsafeMutableRawPointer?
    private var firstBlock: UnsafeMutableRawBufferPointer
    private var remaining: Int
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

    /// No pointer into the memory may escape.
    static func with<Result>(byteCount: Int, _ body: (inout DecodingMemory) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: firstBlockByteCount, alignment: alignment) { block in
            var memory = DecodingMemory(byteCount: byteCount, firstBlock: block)
            return body(&memory)
        }
    }

    /// It returns NULL above the limit.
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
