internal import CMarvelMessages
internal import NIOCore

extension GoAwayMessage: ProtobufMessage {
    package static let fullName = "marvel.rpc.v1.GoAway"

    static var initialize: CInitializer<Marvel__Rpc__V1__GoAway> { marvel__rpc__v1__go_away__init }

    init(copying message: Marvel__Rpc__V1__GoAway) throws(WireError) {
        self.init(
            lastStreamID: message.last_stream_id,
            reason: try message.reason.text("reason"),
            retryAfter: try Duration(copying: message.retry_after, field: "retry_after"),
            alternatives: try [String](
                copying: message.alternatives,
                count: message.n_alternatives,
                field: "alternatives"
            )
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__GoAway, in arena: inout EncodingArena) {
        message.last_stream_id = lastStreamID
        message.reason = arena.text(reason)
        message.retry_after = retryAfter.map { arena.message($0) }
        message.n_alternatives = alternatives.count
        message.alternatives = arena.texts(alternatives)
    }
}
