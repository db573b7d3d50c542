import MarvelClient

/// A way to break the server. Its steps are taken once in each cycle.
protocol Fault {
    /// Before clients toggle. The server runs then, and when this returns.
    mutating func prepare(_ stage: Stage) async throws

    /// While clients toggle: strikes after that delay, and waits for what must come of it.
    mutating func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws

    /// When they have stopped, so that each toggle is answered if it is sent again.
    mutating func recover(_ stage: Stage) async throws

    /// After everything was compared: did the fault do what it is for? `changes` are those of each list.
    mutating func confirm(_ changes: [[FavoritesChange]]) throws

    /// What it has to say in the end.
    var summary: String? { get }
}

extension Fault {
    mutating func prepare(_ stage: Stage) async throws {}
    mutating func recover(_ stage: Stage) async throws {}
    mutating func confirm(_ changes: [[FavoritesChange]]) throws {}
    var summary: String? { nil }
}
