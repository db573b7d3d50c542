import MarvelDomain
import RPCCore
import Synchronization
import Testing
import WireMessages

@testable import MarvelService

/// Two writers and two watchers in every order in which their steps can fall.
@Suite struct WatchModelTests {
    typealias Actor = WatchModel.Actor

    /// From which revision each watcher asks. The list is at revision 1 when they begin.
    @Test(arguments: [[0, 0], [0, 1]] as [[Int64]])
    func everyInterleavingDeliversEveryChange(_ beginnings: [Int64]) throws {
        let count = try explore([.commit: 2, .send: 2, .first: 3, .second: 3], beginnings)
        // 10! / (2! 2! 3! 3!), and in one third of these nothing is heard of before it happened.
        #expect(count == 8_400)
    }

    @Test(arguments: [[0, 0], [0, 1], [1, 0], [1, 1]] as [[Int64]])
    func everyInterleavingKeepsBothPlaces(_ beginnings: [Int64]) throws {
        let count = try explore([.commit: 1, .send: 1, .first: 4, .second: 3], beginnings)
        #expect(count == 1_260)
    }

    /// - Returns: In how many orders the steps can fall.
    private func explore(_ steps: [Actor: Int], _ beginnings: [Int64]) throws -> Int {
        var count = 0
        var order: [Actor] = []
        try explore(steps, &order) { order in
            count += 1
            try WatchModel(beginnings).check(order)
        }
        return count
    }

    /// Calls `check` with every order of the steps that are left.
    private func explore(
        _ left: [Actor: Int],
        _ order: inout [Actor],
        _ check: ([Actor]) throws -> Void
    ) throws {
        guard left.values.contains(where: { $0 > 0 }) else { return try check(order) }
        for actor in Actor.allCases {
            guard let count = left[actor], count > 0 else { continue }
            // A change is sent only after its commit.
            if actor == .send, left[.commit, default: 0] >= count { continue }
            order.append(actor)
            try explore(left.merging([actor: count - 1]) { $1 }, &order, check)
            order.removeLast()
        }
    }
}
