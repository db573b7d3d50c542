internal import CMarvelMessages
internal import NIOCore

/// Holds one message during encoding. The first kilobyte is on the stack and is enough for a request, the answer to a toggle or
/// the tail of a page.
struct EncodingArena: ~Copyable {
    private static let firstBlockByteCount = 1024
    private static let alignment = 16

    private var available: UnsafeMutableRawBufferPointer
    private var furtherBlocks: [UnsafeMutableRawBufferPointer] = []

    private init(firstBlock: UnsafeMutableRawBufferPointer) {
        self.available = firstBlock
    }

    deinit {
        for block in furtherBlocks { block.deallocate() }
    }

    static func withArena(_ body: (inout EncodingArena) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: firstBlockByteCount, alignment: alignment) { block in
            var arena = EncodingArena(firstBlock: block)
            body(&arena)
        }
    }

    /// Memory for the encoding of a message that fits into the first block. A byte of a C struct becomes three at most: the worst is a
    /// negative int32, whose four bytes become ten and a tag of two. A larger temporary allocation would not be on the stack.
    typealias Scratch = InlineArray<3072, UInt8>

    /// Whether the message is in the first block.
    var isSmall: Bool { furtherBlocks.isEmpty }

    mutating func message<Value: ProtobufCoded>(_ value: Value) -> UnsafeMutablePointer<Value.CStruct> {
        let message = array(of: Value.CStruct.self, count: 1)
        Value.initialize(message)
        value.fill(&message.pointee, in: &self)
        return message
    }

    mutating func messages<Value: ProtobufCoded>(
        _ values: [Value]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value.CStruct>?>? {
        array(values) { arena, value -> UnsafeMutablePointer<Value.CStruct>? in arena.message(value) }
    }

    mutating func numbers<Number: BitwiseCopyable>(_ numbers: [Number]) -> UnsafeMutablePointer<Number>? {
        array(numbers) { _, number in number }
    }

    mutating func texts(_ texts: [String]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
        array(texts) { arena, text in arena.text(text) }
    }

    mutating func buffers(_ buffers: [ByteBuffer]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
        array(buffers) { arena, buffer in arena.buffer(buffer) }
    }

    /// Nil without values.
    private mutating func array<Value, Element>(
        _ values: [Value],
        _ convert: (inout EncodingArena, Value) -> Element
    ) -> UnsafeMutablePointer<Element>? {
        guard !values.isEmpty else { return nil }
        let elements = array(of: Element.self, count: values.count)
        for (index, value) in values.enumerated() { (elements + index).initialize(to: convert(&self, value)) }
        return elements
    }

    mutating func text(_ text: String) -> ProtobufCBinaryData {
        var text = text
        return text.withUTF8 { utf8 in bytes(UnsafeRawBufferPointer(utf8)) }
    }

    mutating func buffer(_ buffer: ByteBuffer) -> ProtobufCBinaryData {
        buffer.withUnsafeReadableBytes { bytes($0) }
    }

    mutating func bytes(_ bytes: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData() }
        let copy = array(of: UInt8.self, count: bytes.count)
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
        return ProtobufCBinaryData(len: bytes.count, data: copy)
    }

    private mutating func array<Element>(of type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        allocate(byteCount: count * MemoryLayout<Element>.stride).bindMemory(to: type, capacity: count)
    }

    private mutating func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        let rounded = (byteCount + EncodingArena.alignment - 1) & -EncodingArena.alignment
        if rounded > available.count { addBlock(for: rounded) }
        guard let start = available.baseAddress else { preconditionFailure("out of memory for a block of the arena") }
        available = UnsafeMutableRawBufferPointer(rebasing: available[rounded...])
        return start
    }

    /// Large messages need few blocks.
    private mutating func addBlock(for byteCount: Int) {
        let usual = EncodingArena.firstBlockByteCount << min(furtherBlocks.count + 2, 10)
        let block = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(byteCount, usual),
            alignment: EncodingArena.alignment
        )
        furtherBlocks.append(block)
        available = block
    }
}
