internal import CMarvelMessages
internal import RPCCore

extension ErrorInfo: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__ErrorInfo> { marvel__rpc__v1__error_info__init }

    init(copying message: Marvel__Rpc__V1__ErrorInfo) throws(WireError) {
        let entries = try [MetadataEntry](copying: message.metadata, count: message.n_metadata, field: "metadata")
        self.init(
            reason: ErrorReason(rawValue: try message.reason.text("reason")),
            domain: try message.domain.text("domain"),
            // If a key occurs twice, the last value counts, as in every protobuf map.
            metadata: Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last }
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__ErrorInfo, in arena: inout EncodingArena) {
        let entries = metadata.map { MetadataEntry(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
        message.reason = arena.text(reason.rawValue)
        message.domain = arena.text(domain)
        message.n_metadata = entries.count
        message.metadata = arena.messages(entries)
    }
}
