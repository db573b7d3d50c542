internal import CMarvelMessages
internal import NIOCore

/// A type defines only the conversions from and to the struct; memory, limits, packing and unpacking are here.
protocol ProtobufCoded {
    associatedtype CStruct
    static var initialize: CInitializer<CStruct> { get }

    /// Copies everything out of `message`, which is freed afterwards.
    init(copying message: CStruct) throws(WireError)

    /// Sets the fields of `message`, which has the defaults. The memory behind its pointers belongs to the arena.
    func fill(_ message: inout CStruct, in arena: inout EncodingArena)
}

/// protoc-c generates it. It gives a struct its descriptor and its defaults.
typealias CInitializer<CStruct> = (UnsafeMutablePointer<CStruct>?) -> Void

extension ProtobufCoded {
    /// Swift imports C's constant as a value without an address.
    static var descriptor: UnsafePointer<ProtobufCMessageDescriptor>? {
        withUnsafeTemporaryAllocation(of: CStruct.self, capacity: 1) { memory in
            initialize(memory.baseAddress)
            return UnsafeRawBufferPointer(memory).load(as: ProtobufCMessage.self).descriptor
        }
    }

    init(unpacking bytes: UnsafeRawBufferPointer, name: String, limit: DecodingLimit) throws(WireError) {
        guard bytes.count <= DecodingLimit.maximumByteCount else {
            throw .tooLarge(name, byteCount: bytes.count, maximum: DecodingLimit.maximumByteCount)
        }
        let budget = limit.budget(forByteCount: bytes.count)
        let rewritten: [UInt8]?
        do throws(EncodingFault) {
            let rules = EncodingRules(Self.descriptor)
            rewritten = try rules?.rewritten(bytes)
            if limit.refusesLongMarkRuns { try rules?.checkMarkRuns(in: bytes) }
        } catch {
            switch error {
            case .malformed: throw .malformed(name, byteCount: bytes.count)
            case .invalidText(let field): throw .invalidText(field: field)
            }
        }
        let result =
            if let rewritten {
                rewritten.withUnsafeBytes { Self.unpacked($0, name: name, budget: budget) }
            } else {
                Self.unpacked(bytes, name: name, budget: budget)
            }
        self = try result.get()
    }

    private static func unpacked(
        _ bytes: UnsafeRawBufferPointer,
        name: String,
        budget: Int
    ) -> Result<Self, WireError> {
        DecodingMemory.with(byteCount: budget) { memory -> Result<Self, WireError> in
            let unpacked = memory.withAllocator { allocator in
                let start = bytes.bindMemory(to: UInt8.self).baseAddress
                return protobuf_c_message_unpack(Self.descriptor, allocator, bytes.count, start)
            }
            guard let unpacked else {
                return .failure(
                    memory.isExceeded
                        ? .tooMuchMemory(name, byteCount: bytes.count, budget: budget)
                        : .malformed(name, byteCount: bytes.count)
                )
            }
            return Result { () throws(WireError) in
                // The struct of every message begins with a ProtobufCMessage.
                try Self(copying: UnsafeRawPointer(unpacked).assumingMemoryBound(to: CStruct.self).pointee)
            }
        }
    }
}

protocol ProtobufMessage: WireMessage, ProtobufCoded {}

extension ProtobufMessage {
    package init(decoding bytes: ByteBuffer, limit: DecodingLimit) throws(WireError) {
        try self.init(unpackingReadableBytesOf: bytes, name: Self.fullName, limit: limit)
    }

    package func encode(into buffer: inout ByteBuffer) {
        pack(into: &buffer)
    }
}

extension ProtobufCoded {
    init(unpackingReadableBytesOf bytes: ByteBuffer, name: String, limit: DecodingLimit) throws(WireError) {
        let result = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(WireError) in try Self(unpacking: bytes, name: name, limit: limit) }
        }
        self = try result.get()
    }

    func packed() -> ByteBuffer {
        var buffer = ByteBuffer()
        pack(into: &buffer)
        return buffer
    }

    func pack(into buffer: inout ByteBuffer) {
        EncodingArena.withArena { arena in
            let message = arena.message(self)
            let base = UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
            // libprotobuf-c would need two thirds as long again to compute the size first.
            if arena.isSmall {
                var scratch = EncodingArena.Scratch(repeating: 0)
                withUnsafeMutableBytes(of: &scratch) { output in
                    let byteCount = protobuf_c_message_pack(base, output.bindMemory(to: UInt8.self).baseAddress)
                    buffer.writeBytes(UnsafeRawBufferPointer(rebasing: output[..<byteCount]))
                }
                return
            }
            let byteCount = protobuf_c_message_get_packed_size(base)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { output in
                protobuf_c_message_pack(base, output.bindMemory(to: UInt8.self).baseAddress)
            }
        }
    }
}
