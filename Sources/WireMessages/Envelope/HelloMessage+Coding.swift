internal import CMarvelMessages
internal import NIOCore

extension HelloMessage: ProtobufMessage {
    package static let fullName = "marvel.rpc.v1.Hello"

    static var initialize: CInitializer<Marvel__Rpc__V1__Hello> { marvel__rpc__v1__hello__init }

    init(copying message: Marvel__Rpc__V1__Hello) throws(WireError) {
        self.init(
            version: message.version,
            software: try message.software.text("software"),
            initialCredit: message.initial_credit,
            maximumFrameLength: message.maximum_frame_length,
            maximumStreams: message.maximum_streams
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__Hello, in arena: inout EncodingArena) {
        message.version = version
        message.software = arena.text(software)
        message.initial_credit = initialCredit
        message.maximum_frame_length = maximumFrameLength
        message.maximum_streams = maximumStreams
    }
}
