internal import MarvelDomain
internal import StoreContract

extension FeedRecorder {
    /// The histories that the feed has told of, in their order.
    var histories: [HistoryID] {
        events.compactMap { event in
            if case .renewed(let history) = event { history } else { nil }
        }
    }

    /// Waits until the feed has sent a list's revision.
    func wait(for revision: Int64, of list: ListName = .default) async {
        await wait { news.contains { $0.list == list && $0.revision >= revision } }
    }

    /// Waits until the feed has told of new histories.
    func waitForHistories(_ count: Int = 1) async {
        await wait { histories.count >= count }
    }

    private func wait(until isMet: () -> Bool) async {
        // A subscriber cannot be awaited.
        while !isMet(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
