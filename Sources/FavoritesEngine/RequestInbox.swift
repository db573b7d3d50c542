package import MarvelDomain

/// The requests that wait for a store's writer, in the order of their calls. Those that arrive during a commit are the next
/// group: a single one does not wait, and the slower the disk, the larger the groups.
///
///     asleep ──added──▶ awake ──groupFinished, nothing waits──▶ asleep
package struct RequestInbox {
    private let limits: InboxLimits
    private var waiting: [FavoritesRequest] = []
    private var isWriterAwake = false
    /// The error for further requests; nil while they are taken.
    private var refusal: StoreError?

    package init(limits: InboxLimits) { self.limits = limits }

    package var waitingCount: Int { waiting.count }

    /// The action for a request that arrives.
    package enum OnAdded: Equatable {
        /// Start the writer.
        case wakeWriter
        /// The writer is running and will take the request.
        case wait
        /// Refuse the request: there are too many, or the inbox is closed.
        case refuse(StoreError)
    }

    package mutating func added(_ request: FavoritesRequest) -> OnAdded {
        if let refusal { return .refuse(refusal) }
        guard waiting.count < limits.maximumCount else { return .refuse(.overloaded) }
        waiting.append(request)
        guard !isWriterAwake else { return .wait }
        isWriterAwake = true
        return .wakeWriter
    }

    /// Refuses further requests. The first error is kept.
    package mutating func close(with error: StoreError) { refusal = refusal ?? error }

    /// Takes requests for the next group: as many as may share a transaction, the oldest first.
    ///
    /// - Parameter begunCount: The number of requests that are begun already, and will be in the group.
    /// - Returns: The requests.
    package mutating func takeGroup(besides begunCount: Int = 0) -> [FavoritesRequest] {
        let maximum = max(0, limits.maximumGroup - begunCount)
        var group: [FavoritesRequest] = []
        if waiting.count <= maximum {
            swap(&group, &waiting)
        } else {
            group = Array(waiting.prefix(maximum))
            waiting.removeFirst(group.count)
        }
        return group
    }

    /// Takes the oldest of the waiting requests, as long as they are as `isExpired` says.
    package mutating func takeExpired(_ isExpired: (FavoritesRequest) -> Bool) -> [FavoritesRequest] {
        let expired = Array(waiting.prefix(while: isExpired))
        waiting.removeFirst(expired.count)
        return expired
    }

    /// Notes the end of a group.
    ///
    /// - Returns: Whether the writer takes another one. Otherwise it sleeps.
    package mutating func groupFinished() -> Bool {
        isWriterAwake = !waiting.isEmpty
        return isWriterAwake
    }
}

/// The limits for requests that wait for the writer.
package struct InboxLimits: Sendable {
    /// The maximum number of waiting requests. Further ones are refused.
    package var maximumCount: Int
    /// The maximum number in one transaction. With more, the first would wait for the last.
    package var maximumGroup: Int

    package init(maximumCount: Int = 16_384, maximumGroup: Int = 1_024) {
        self.maximumCount = maximumCount
        self.maximumGroup = maximumGroup
    }
}
