internal import CMarvelMessages
internal import MarvelDomain

extension Timestamp: ProtobufCoded {
    static var initialize: CInitializer<Google__Protobuf__Timestamp> { google__protobuf__timestamp__init }

    init(copying message: Google__Protobuf__Timestamp) throws(WireError) {
        guard (0..<1_000_000_000).contains(message.nanos) else { throw .invalidValue(field: "nanos") }
        guard Timestamp.validSeconds.contains(message.seconds) else { throw .invalidValue(field: "seconds") }
        self.init(seconds: message.seconds, nanoseconds: message.nanos)
    }

    func fill(_ message: inout Google__Protobuf__Timestamp, in arena: inout EncodingArena) {
        message.seconds = seconds
        message.nanos = nanoseconds
    }
}
