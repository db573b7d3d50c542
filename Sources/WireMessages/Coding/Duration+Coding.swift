internal import CMarvelMessages
internal import MarvelDomain

extension Duration: ProtobufCoded {
    private static var attosecondsInNanosecond: Int64 { 1_000_000_000 }

    static var initialize: CInitializer<Google__Protobuf__Duration> { google__protobuf__duration__init }

    init(copying message: Google__Protobuf__Duration) throws(WireError) {
        guard Self.protobufSeconds.contains(message.seconds) else { throw .invalidValue(field: "seconds") }
        guard message.nanos.magnitude < 1_000_000_000 else { throw .invalidValue(field: "nanos") }
        self = .seconds(message.seconds) + .nanoseconds(Int64(message.nanos))
    }

    func fill(_ message: inout Google__Protobuf__Duration, in arena: inout EncodingArena) {
        let (seconds, attoseconds) = components
        message.seconds = seconds
        message.nanos = Int32(attoseconds / Duration.attosecondsInNanosecond)
    }
}
