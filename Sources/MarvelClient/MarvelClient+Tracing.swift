internal import RPCCore

extension MarvelClient {
    /// The metadata of a call: the position in the trace that the current task works for, if there is one.
    static var callMetadata: Metadata {
        var metadata = Metadata()
        if let traceparent, TraceParent(traceparent) != nil { metadata.append(TraceParent.key, traceparent) }
        return metadata
    }
}
