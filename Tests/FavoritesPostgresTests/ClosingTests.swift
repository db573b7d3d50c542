internal import FavoritesEngine
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesPostgres

/// Calls that arrive while the threads of a store end: each is answered.
@Suite(.timeLimit(.minutes(10))) struct ClosingTests {
    private let status = StoreStatus(onWarning: { _ in }, onError: { _ in }, onRefusal: { _ in })

    private func connect(_ loss: DatabaseFault?) throws(DatabaseFault) -> PostgresConnection {
        throw DatabaseFault(kind: .notConnected, message: "there is no database")
    }

    /// Makes calls beside the end of a thread, a part of them before it and a part after it.
    private func call(
        besideEndOf thread: DatabaseThread,
        by stop: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable () async throws(StoreError) -> Void
    ) async {
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    if number == 10 { stop() }
                    await #expect(throws: StoreError.self) { try await body() }
                }
            }
        }
        thread.join()
    }

    @Test func readsDuringTheEndOfTheReaderAreAnswered() async throws {
        for _ in 0..<100 {
            let reader = try DatabaseWorker(.reader, status)
            reader.thread.start(connect: connect) { reader.work($0) }
            await call(besideEndOf: reader.thread, by: reader.thread.stop) { () async throws(StoreError) in
                try await reader.run { _ in }
            }
        }
    }

    @Test func changesDuringTheEndOfTheWriterAreAnswered() async throws {
        for _ in 0..<100 {
            let publisher = FeedPublisher(.init(), ListMarks(in: HistoryID(1)))
            let writer = try Writer(.init(), publisher, status) { Timestamp(seconds: 0) }
            writer.thread.start(connect: connect) { writer.run($0) }
            await call(besideEndOf: writer.thread, by: writer.stop) { () async throws(StoreError) in
                let result = await withCheckedContinuation { continuation in
                    _ = writer.add(.deletion(.default), nil, nil, reply: .any { continuation.resume(returning: $0) })
                }
                _ = try result.get()
            }
        }
    }
}
