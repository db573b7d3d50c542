import Framing
import NIOCore
import Testing

struct CallQueueTests {
    private final class Call {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    /// Three calls with these deadlines, in seconds.
    private func queue(_ deadlines: [Int64?], maximum: Int = 10) -> (CallQueue<Call>, [Call]) {
        var queue = CallQueue<Call>(maximumCount: maximum)
        let calls = deadlines.indices.map(Call.init)
        for (call, deadline) in zip(calls, deadlines) { _ = queue.append(call, deadline: deadline.map(time)) }
        return (queue, calls)
    }

    private func names(_ queue: CallQueue<Call>) -> [Int] {
        var names: [Int] = []
        queue.forEach { names.append($0.name) }
        return names
    }

    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test func firstComeIsFirstServed() {
        var (queue, _) = queue([nil, 5, nil])
        #expect(queue.first?.name == 0)
        let order = [queue.removeFirst()?.name, queue.removeFirst()?.name, queue.removeFirst()?.name]
        #expect(order == [0, 1, 2])
        #expect(queue.isEmpty)
        let none = queue.removeFirst()
        #expect(none == nil)
    }

    @Test func onlySoManyWait() {
        var (queue, _) = queue([nil, nil], maximum: 2)
        let isTaken = queue.append(Call(9), deadline: nil)
        #expect(!isTaken)
        #expect(names(queue) == [0, 1])
        _ = queue.removeFirst()
        let isTakenNow = queue.append(Call(9), deadline: nil)
        #expect(isTakenNow)
    }

    @Test func aQueueMayHaveNoRoomAtAll() {
        var queue = CallQueue<Call>(maximumCount: 0)
        let isTaken = queue.append(Call(1), deadline: nil)
        #expect(!isTaken)
    }

    @Test func whoGivesUpLeavesAndTheOthersKeepTheirPlaces() {
        var (queue, calls) = queue([nil, nil, nil])
        queue.remove(calls[1])
        #expect(names(queue) == [0, 2])
        queue.remove(calls[1])
        queue.remove(Call(0))
        #expect(names(queue) == [0, 2])
    }

    @Test(
        arguments: [
            // now, who leaves, when the next has to
            (0, [], 3), (2, [], 3), (3, [1], 5), (4, [1], 5), (5, [0, 1, 3], nil), (100, [0, 1, 3], nil),
        ] as [(Int64, [Int], Int64?)]
    )
    func callsLeaveAtTheirDeadline(_ now: Int64, _ leaving: [Int], _ next: Int64?) {
        var (queue, _) = queue([5, 3, nil, 5])
        #expect(queue.nextDeadline == time(3))
        let late = queue.removeExpired(now: time(now)).map(\.name)
        #expect(late == leaving)
        #expect(names(queue) == [0, 1, 2, 3].filter { !leaving.contains($0) })
        #expect(queue.nextDeadline == next.map(time))
    }

    @Test func eachIsAskedOnceInOrder() {
        var (queue, _) = queue([nil, nil, nil, nil])
        var asked: [Int] = []
        let taken = queue.remove { call in
            asked.append(call.name)
            return call.name.isMultiple(of: 2)
        }
        #expect(asked == [0, 1, 2, 3])
        #expect(taken.map(\.name) == [0, 2])
        #expect(names(queue) == [1, 3])
    }
}
