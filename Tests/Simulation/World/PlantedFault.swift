/// A fault that a simulation has on purpose, so that a test can tell whether it would be found.
package enum PlantedFault: String, Sendable, CaseIterable {
    /// The watches of a server are not told, now and then, that their list has changed.
    case lostWakeUp = "lost-wake-up"
    /// A store answers, now and then, before it commits.
    case answerBeforeCommit = "answer-before-commit"
    /// The revision of a list rises, now and then, by two.
    case skippedRevision = "skipped-revision"
    /// The database forgets, now and then, that it has answered a request.
    case forgottenRequest = "forgotten-request"
    /// The database makes changes of a list that has changed since they were decided.
    case blindWrite = "blind-write"
    /// A request whose outcome is unknown is sent again as a new one.
    case freshRequest = "fresh-request"
    /// A watcher is told, now and then, that it has one change more than it has.
    case highProgress = "high-progress"
    /// A watch resumes, now and then, one change after its place.
    case lateResume = "late-resume"
    /// A server that continues in a new history of its database does not say so.
    case untoldHistory = "untold-history"
}
