import Events
import Synchronization

/// Delivers when the test lets it.
final class HeldDelivery: Sendable {
    private struct Work {
        let run: @Sendable () -> Void
    }

    private let held = Mutex<[Work]>([])

    var delivery: Delivery {
        Delivery { [self] work in held.withLock { $0.append(Work(run: work)) } }
    }

    var count: Int { held.withLock(\.count) }

    func deliver() {
        let work = held.withLock { held in
            defer { held = [] }
            return held
        }
        for work in work { work.run() }
    }
}
