import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// Random events, and an account of its own of what each call may do.
@Suite struct CallRunnerPlayTests {
    @Test func everyCallEndsOnceAndStaysWithinItsCredit() {
        for seed in UInt64(0)..<400 {
            var play = RunnerPlay(seed: seed)
            play.play(events: 120)
            #expect(play.breaches.isEmpty, "seed \(seed)")
        }
    }
}

/// A connection whose peer, work, time and server do random things.
private struct RunnerPlay: ~Copyable {
    private struct Account {
        /// The messages that it may send; nil without a limit.
        var granted: UInt32?
        var sent: UInt32 = 0
        var isWorking = false
        /// Whether its last frame was sent, or its peer cancelled it.
        var isEnded = false

        var isOver: Bool { isEnded && !isWorking }
    }

    private let stage = RunnerStage()
    private let logs = [TestLog(), TestLog(keeping: 2)]
    private var random: SplitMix64
    private var accounts: [StreamID: Account] = [:]
    private var lastID: StreamID = 1
    private var isDraining = false
    private(set) var breaches: [String] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func play(events: Int) {
        for _ in 0..<events {
            event()
            note(stage.actions())
            checkProgress()
        }
        stage.runner.endDrain()
        note(stage.actions())
        expect(accounts.values.allSatisfy(\.isEnded), "a call has no end")
        for id in accounts.keys.sorted() where accounts[id]?.isWorking == true { finishWork(id) }
        checkProgress()
        let isEmpty = stage.runner.isEmpty && stage.runner.nextAction() == nil && stage.runner.finishedByteCount == 0
        expect(isEmpty && logs.allSatisfy { $0.listeners == 0 }, "something remains")
    }

    private mutating func event() {
        stage.room = Int.random(in: 0...4, using: &random)
        let ids = accounts.keys.sorted()
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<10 where !isDraining: begin()
        case 10..<18: if let id = ids.randomElement(using: &random) { grant(id) }
        case 18..<26:
            if let id = ids.filter({ accounts[$0]?.isWorking == true }).randomElement(using: &random) { finishWork(id) }
        case 26..<30: note(stage.append("n\(logs[0].last)", to: logs[Int.random(in: 0..<2, using: &random)]))
        case 30..<34: note(stage.pass(to: stage.time + Int64.random(in: 0...6, using: &random)))
        case 34..<36: if let id = ids.randomElement(using: &random) { cancel(id) }
        case 36..<38:
            if let id = ids.randomElement(using: &random) { stage.runner.requestReceived(ByteBuffer(), on: id) }
        case 38: if let id = ids.randomElement(using: &random) { stage.runner.requestsEnded(on: id) }
        case 39 where Int.random(in: 0..<4, using: &random) == 0:
            isDraining = true
            if Bool.random(using: &random) { stage.runner.drain() } else { stage.runner.inputClosed() }
        default: break
        }
    }

    private mutating func begin() {
        let id = lastID
        lastID = StreamID(rawValue: lastID.rawValue + 2)
        let isStream = Bool.random(using: &random)
        let credit = ([nil, 1, 2, 3] as [UInt32?]).randomElement(using: &random) ?? nil
        accounts[id] = Account(granted: isStream ? credit : 1)
        stage.begin(
            id,
            step(),
            isWatch: Bool.random(using: &random),
            wantsStream: isStream,
            credit: credit.map { .messages($0) } ?? .unlimited,
            deadline: Bool.random(using: &random) ? stage.time + 20 : nil,
            hasMoreRequests: Bool.random(using: &random)
        )
    }

    private mutating func step() -> Step {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: .text("a")
        case 1: .text("a", then: Messages("b", "c", "d"))
        case 2: .text("a", then: Messages("b", end: .work))
        case 3: logs[Int.random(in: 0..<2, using: &random)].reading(timeout: .seconds(4))
        case 4: .conversation(Echo())
        case 5: .end
        default: .work
        }
    }

    private mutating func grant(_ id: StreamID) {
        let count = UInt32.random(in: 0...2, using: &random)
        let hasEffect = stage.runner.grant(count, to: id)
        if hasEffect, let granted = accounts[id]?.granted { accounts[id]?.granted = granted + count }
    }

    private mutating func finishWork(_ id: StreamID) {
        accounts[id]?.isWorking = false
        let step = [Step.text("w"), .text("w", then: Messages("x")), .end].randomElement(using: &random) ?? .end
        note(stage.finishWork(id, .success(step)))
    }

    private mutating func cancel(_ id: StreamID) {
        guard accounts[id]?.isEnded == false else { return stage.runner.cancel(id) }
        accounts[id]?.isEnded = true
        stage.runner.cancel(id)
        note(stage.actions())
    }

    // MARK: Account

    private mutating func note(_ actions: [String]) {
        for action in actions {
            let words = action.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count > 1, let number = UInt32(words[1]) else { continue }
            note(words, on: StreamID(rawValue: number))
        }
    }

    private mutating func note(_ words: [String], on id: StreamID) {
        switch words[0] {
        case "respond", "end", "reject", "fail":
            end(id)
        case "send":
            expect(accounts[id]?.isEnded == false, "\(id) sends after its end")
            let sent = (accounts[id]?.sent ?? 0) + 1
            accounts[id]?.sent = sent
            expect(
                (words.last == "first" || words.dropLast().last == "first") == (sent == 1),
                "the first message of \(id)"
            )
            if let granted = accounts[id]?.granted { expect(sent <= granted, "\(id) sends more than it may") }
            if words.last == "last" { end(id) }
        case "work":
            accounts[id]?.isWorking = true
        default:
            break
        }
    }

    private mutating func end(_ id: StreamID) {
        expect(accounts[id]?.isEnded == false, "\(id) ends twice")
        accounts[id]?.isEnded = true
    }

    /// A call counts until its last answer is sent and its work has stopped.
    private mutating func checkProgress() {
        for (id, account) in accounts {
            let isRight =
                switch stage.runner.progress(of: id, now: stage.now) {
                case .open: !account.isEnded
                case .stopping: account.isEnded && account.isWorking
                case nil: account.isOver
                }
            expect(isRight, "\(id) is open, or over, at the wrong time")
        }
        expect(stage.runner.runningCount == accounts.values.count { !$0.isOver }, "the number of calls")
    }

    private mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}
