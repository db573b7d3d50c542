internal import RPCCore

/// The most recently ended streams of a connection. Frames for them are late, not wrong.
struct EndedStreams {
    static let capacity = 32

    private var ids: [StreamID] = []
    /// The index of the oldest id once there are `capacity` ids. The next id replaces the oldest.
    private var oldest = 0

    mutating func remember(_ id: StreamID) {
        if ids.count < Self.capacity {
            ids.append(id)
        } else {
            ids[oldest] = id
            oldest = (oldest + 1) % Self.capacity
        }
    }

    func contains(_ id: StreamID) -> Bool { ids.contains(id) }
}
