internal import ArgumentParser

/// A character's number as an argument, above 0.
struct CharacterID: ExpressibleByArgument, Equatable {
    let number: Int64

    init?(argument: String) {
        guard let number = Int64(argument), number > 0 else { return nil }
        self.number = number
    }
}
