import NIOCore
import RPCCore
import Testing

@testable import HTTPFraming

struct IncompleteRequestsTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    @Test func requestsExpireInTheirOrder() {
        var requests = IncompleteRequests(timeout: .seconds(10))
        #expect((requests.isEmpty, requests.nextCheck) == (true, nil))
        for (second, id) in [1, 3, 5, 7].enumerated() {
            requests.began(StreamID(rawValue: UInt32(id)), now: start + .seconds(Int64(second)))
        }
        // They end in any order, and perhaps twice.
        for id: StreamID in [5, 5, 9] { requests.ended(id) }
        #expect(requests.nextCheck == start + .seconds(10))
        let taken = [9, 10, 10].map { requests.takeFirst(expiredAt: start + .seconds($0)) }
        #expect(taken == [nil, 1, nil])
        requests.ended(3)
        #expect(requests.nextCheck == start + .seconds(13))
        let rest = [requests.takeFirst(expiredAt: nil), requests.takeFirst(expiredAt: nil)]
        #expect((rest, requests.isEmpty) == ([7, nil], true))
    }

    /// A request that waited to be admitted has its whole time then.
    @Test func aRequestMayHaveItsTimeAgain() {
        var requests = IncompleteRequests(timeout: .seconds(10))
        for id: StreamID in [1, 3] { requests.began(id, now: start) }
        requests.restarted(1, now: start + .seconds(4))
        requests.restarted(5, now: start + .seconds(4))
        #expect(requests.nextCheck == start + .seconds(10))
        requests.ended(3)
        #expect(requests.nextCheck == start + .seconds(14))
        requests.ended(1)
        #expect(requests.isEmpty)
    }

    @Test func stalledStreamsAreCheckedWhileDataWaits() {
        var check = StallCheck(interval: .seconds(5))
        let isDue = check.isDue(now: start)
        #expect((isDue, check.nextCheck) == (false, nil))
        check.dataWaits(now: start)
        check.dataWaits(now: start + .seconds(1))
        #expect(check.nextCheck == start + .seconds(5))
        let due = [4, 5, 6].map { check.isDue(now: start + .seconds($0)) }
        #expect(due == [false, true, false])
    }
}
