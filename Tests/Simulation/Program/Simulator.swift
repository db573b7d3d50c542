import ArgumentParser
import Glibc
import Simulation

@main
enum Program {
    static func main() async {
        fixOrderOfSets()
        await Simulator.main()
    }

    /// Starts the program again with the variable without which sets and dictionaries have another order in each process: a
    /// seed has to give the same run wherever it is played.
    private static func fixOrderOfSets() {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil else { return }
        setenv(name, "1", 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        perror("marvel-simulator")
        exit(1)
    }
}

/// Plays simulations of many seeds, and prints those that broke a promise.
struct Simulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-simulator",
        abstract: "Simulates servers, clients and faults from seeds, and checks the promises to the clients."
    )

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "The number of seeds.")
    var count: UInt64 = 10_000

    @Option(help: "The steps of clients and faults in each run.")
    var events = 200

    @Option(help: "The number of threads. Each runs one seed at a time.")
    var threads: UInt64 = 2

    @Option(help: "A bug to plant: \(PlantedFault.allCases.map(\.rawValue).joined(separator: ", ")).")
    var fault: PlantedFault?

    @Flag(help: "Print every event. The output is long.")
    var narrate = false

    @Flag(help: "Print a hash of the events of each run.")
    var trace = false

    func run() async throws {
        let tally = await withTaskGroup(of: Tally.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    var tally = Tally()
                    for seed in stride(from: seed + thread, to: seed + count, by: Int(threads)) {
                        tally.add(Simulation.run(seed: seed, eventCount: events, fault: fault, isNarrated: narrate))
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { $0.add($1) }
        }
        for outcome in tally.broken.sorted(by: { $0.seed < $1.seed }) {
            print("seed \(outcome.seed):")
            for violation in outcome.violations { print("  \(violation)") }
        }
        if trace { print("trace \(String(tally.trace, radix: 16))") }
        print(
            "\(count) runs with \(tally.toggles) toggles, \(tally.events) events of watches and \(tally.steps) steps; "
                + "\(tally.broken.count) broke a promise"
        )
        if !tally.broken.isEmpty { throw ExitCode.failure }
    }
}

extension PlantedFault: ExpressibleByArgument {}

/// The sum of some runs.
private struct Tally {
    var toggles = 0
    var events = 0
    var steps = 0
    /// A hash of the runs, whatever their order.
    var trace: UInt64 = 0
    var broken: [Simulation.Outcome] = []

    mutating func add(_ outcome: Simulation.Outcome) {
        toggles += outcome.toggleCount
        events += outcome.watchEventCount
        steps += outcome.stepCount
        trace &+= outcome.trace
        if !outcome.violations.isEmpty { broken.append(outcome) }
    }

    mutating func add(_ other: Tally) {
        toggles += other.toggles
        events += other.events
        steps += other.steps
        trace &+= other.trace
        broken += other.broken
    }
}
