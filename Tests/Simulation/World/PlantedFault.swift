/// A fault that a simulation has on purpose, so that a test can tell whether it would be found.
package enum PlantedFault: String, Sendable, CaseIterable {
    /// A connection is not told, now and then, that a list that it watches has changed.
    case lostWakeUp = "lost-wake-up"
    /// A store answers, now and then, before it commits.
    case answerBeforeCommit = "answer-before-commit"
    /// The revision of a list rises, now and then, by two.
    case skippedRevision = "skipped-revision"
    /// The database forgets, now and then, that it has answered a request.
    case forgottenRequest = "forgotten-request"
    /// A watch resumes, now and then, one change after its place.
    case lateResume = "late-resume"
    /// A server that goes on in a new history of its database does not say so.
    case untoldHistory = "untold-history"
}
