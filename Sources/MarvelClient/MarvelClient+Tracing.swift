internal import RPCCore

extension MarvelClient {
    /// The metadata of a call: the trace position of the current task, if any.
    static var callMetadata: Metadata {
        var metadata = Metadata()
        if let traceparent, TraceParent(traceparent) != nil { metadata.append(TraceParent.key, traceparent) }
        return metadata
    }
}
