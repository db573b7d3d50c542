internal import CMarvelMessages
internal import RPCCore

extension Metadata {
    /// Checks the size before it validates any text.
    init(
        copying pairs: UnsafeMutablePointer<UnsafeMutablePointer<Marvel__Rpc__V1__KeyValue>?>?,
        count: Int
    ) throws(WireError) {
        self.init()
        guard count > 0 else { return }
        var byteCount = 0
        for case let pair? in UnsafeBufferPointer(start: pairs, count: count) {
            byteCount += pair.pointee.key.len + pair.pointee.value.len
        }
        guard count <= Metadata.maximumPairs, byteCount <= Metadata.maximumBytes else {
            throw .metadataTooLarge(pairs: count, bytes: byteCount)
        }
        for pair in try [KeyValue](copying: pairs, count: count, field: "metadata") {
            append(pair.key, pair.value)
        }
    }
}
