import ArgumentParser
import FavoritesSQLite

/// The options for the number of old answers and changes that the store keeps.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Answers that the store keeps for requests that are sent again; each for 2 minutes at least and 7 days at "
                + "most.",
            valueName: "count"
        )
    )
    var keepAnswers = StoreRetention().answers

    @Option(
        help: ArgumentHelp("Changes of each list that the store keeps for watches that resume.", valueName: "count")
    )
    var keepChanges = StoreRetention().changesPerList

    func validate() throws {
        guard (1...1_000_000_000).contains(keepAnswers), (1...1_000_000).contains(keepChanges) else {
            throw ValidationError("Answers to keep are 1 to 1000000000, changes of a list 1 to 1000000.")
        }
    }

    var retention: StoreRetention { StoreRetention(answers: keepAnswers, changesPerList: keepChanges) }
}
