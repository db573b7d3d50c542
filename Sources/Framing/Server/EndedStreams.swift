/// The streams of a connection that ended last: frames for them are late, not wrong.
struct EndedStreams {
    static let capacity = 32

    private var ids: [StreamID] = []
    /// Where the oldest is once there are `capacity` of them: the next one takes its place.
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
