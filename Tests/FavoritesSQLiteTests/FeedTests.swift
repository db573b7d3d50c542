internal import Foundation
internal import MarvelDomain
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct FeedTests {
    /// A function that a generic container held was wrapped once more by every commit: each call of it took one more
    /// stack frame, and some 12,500 commits ended the process.
    @Test func readersAreCalledAtTheSameDepthAfterManyCommits() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        let depths = Mutex<[Int]>([])
        let mailbox = Mailbox(backlog: 64)
        store.feed.subscribe(mailbox) {
            depths.withLock { $0.append(Thread.callStackReturnAddresses.count) }
        }
        let commits = 300
        for _ in 0..<commits {
            try await store.toggle(1)
            mailbox.takeAll { _ in }
        }
        await store.close()
        let measured = depths.withLock { $0 }
        let (least, most) = try #require(measured.min().flatMap { least in measured.max().map { (least, $0) } })
        #expect(measured.count == commits)
        // Where a queue's thread begins differs by a few frames.
        #expect(most - least < 50, "\(least) to \(most) frames")
    }
}
