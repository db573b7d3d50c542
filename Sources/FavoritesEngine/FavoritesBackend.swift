/// A database that keeps the lists for `FavoritesDriver`, with the engine that decides on them.
package protocol FavoritesBackend {
    /// Lists as they were read.
    associatedtype Reading = ListReading
    /// The durable outcome of a group.
    associatedtype Outcome = GroupOutcome

    /// Runs a step of the engine under its lock, sends the events of the step to the feed, and then answers. It is not generic,
    /// because each toggle would pay for that.
    func step(_ body: (inout FavoritesEngine) -> Void)

    /// Reads what the engine has to know.
    func read(_ wanted: WantedLists) throws(FavoritesEngine.Failure) -> Reading

    /// Makes the changes of a group in one transaction, and returns once they are durable.
    func commit(_ group: ChangeGroup) throws(FavoritesEngine.Failure) -> Outcome

    /// Gives the engine the lists that were read.
    func take(_ reading: Reading)

    /// Gives the engine the outcome of a group.
    func take(_ outcome: Outcome, of group: ChangeGroup)
}
