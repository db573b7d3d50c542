import MarvelDomain
import RPCCore
import Synchronization
import Testing
import WireMessages

@testable import MarvelService

/// Two writers and two watchers in every order in which their steps can fall. (RELIABILITY V3)
@Suite struct WatchModelTests {
    /// From which revision each watcher asks. The list is at revision 1 when they begin.
    @Test(arguments: [[0, 0], [0, 1], [1, 0]] as [[Int64]])
    func noOrderOfStepsHidesAChange(_ beginnings: [Int64]) throws {
        var count = 0
        var order: [Actor] = []
        try explore(WatchModel.steps, &order) { order in
            count += 1
            try WatchModel(beginnings).check(order)
        }
        // 11 steps of which 2, 2, 4 and 3 have their order, and in one third nothing is heard before it happened.
        #expect(count == 23_100)
    }

    typealias Actor = WatchModel.Actor

    /// Calls `check` with every order of the steps that are left.
    private func explore(
        _ left: [Actor: Int],
        _ order: inout [Actor],
        _ check: ([Actor]) throws -> Void
    ) throws {
        guard left.values.contains(where: { $0 > 0 }) else { return try check(order) }
        for actor in Actor.allCases {
            guard let count = left[actor], count > 0 else { continue }
            // What is not on disk is not heard of.
            if actor == .observe, left[.commit, default: 0] >= count { continue }
            order.append(actor)
            try explore(left.merging([actor: count - 1]) { $1 }, &order, check)
            order.removeLast()
        }
    }
}
