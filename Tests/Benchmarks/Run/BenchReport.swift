/// All that a run has found out. As JSON it is what scripts compare.
struct BenchReport: Encodable {
    let machine: Machine
    let pace: Pace
    let rows: [Rounds.Row]
    let idleMemory: IdleMemory
    let memoryGrowth: MemoryGrowth
    let watchers: WatchersReport
    let startUp: StartUp
    /// Nil where PostgreSQL is not installed.
    let sharedDatabase: SharedDatabase?
    let nameSearches: NameSearches
    let keyStrokes: KeyStrokes
    let pageSpeed: PageSpeed
    let bars: [Bar]

    init(pace: Pace, in laboratory: Laboratory) throws {
        machine = try Machine()
        self.pace = pace
        // First, because it depends on the most: if PostgreSQL cannot be started, no long run is lost.
        sharedDatabase = try SharedDatabase(pace: pace, in: laboratory)
        let rounds = try Rounds(Scenario.all, pace: pace, in: laboratory)
        rows = rounds.rows
        idleMemory = try IdleMemory(connections: pace.idleConnections, in: laboratory)
        startUp = try StartUp(times: 2 * pace.rounds + 1, in: laboratory)
        nameSearches = try NameSearches(pace: pace)
        keyStrokes = KeyStrokes(keys: pace.searches)
        pageSpeed = try PageSpeed(in: laboratory)
        memoryGrowth = try MemoryGrowth(pace: pace, in: laboratory)
        Progress.show("10000 watchers")
        watchers = try laboratory.watch(laboratory.startMarvelServer(), watchers: 10_000, toggles: pace.toggles)
        bars =
            rounds.bars + idleMemory.bars + [memoryGrowth.bar] + startUp.bars + watchers.bars + [keyStrokes.bar]
            + pageSpeed.bars
            + nameSearches.bars + (sharedDatabase?.bars ?? [])
    }
}
