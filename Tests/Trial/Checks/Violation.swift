package import MarvelDomain

/// A promise that one list did not keep. Revisions are the list's.
package enum Violation: Hashable, Sendable {
    // The log.

    /// The log continues with another revision than the next one.
    case gap(after: Int64, found: Int64)
    /// A change that is not one save, with what had to leave for it, one removal, or the deletion of the list.
    case notOneToggle(Int64)
    /// It saves what is there, or removes what is not.
    case impossible(Int64)
    /// Not the oldest left, or too many, or too few.
    case evictedOthers(Int64)
    /// The list holds more than it can.
    case overfull(Int64, count: Int)

    // The list.

    /// The list that is read is not what its log makes of the list before.
    case otherThanLog(listed: Int64, logged: Int64)

    // Answers to clients.

    /// A toggle was answered, and its change is not in the log.
    case lost(RequestID, Int64)
    /// A change that no client was told of.
    case unclaimed(Int64)
    /// Two toggles were told that they made the same change.
    case claimedTwice(Int64, RequestID, RequestID)
    /// A toggle that made a change was told of other evictions.
    case toldOfOtherEvictions(RequestID, Int64)
    /// A toggle that changed nothing was told of a state that the list was not in.
    case notConfirmed(RequestID, Int64)
    /// The same request id was answered differently.
    case answersDiffer(RequestID)
    /// It was sent after another toggle was answered, and answered with an earlier revision.
    case wentBack(RequestID, from: Int64, to: Int64)

    // Events of a watcher.

    /// A watcher's next event was not the next revision.
    case watchGap(after: Int64, found: Int64)
    /// A watcher saw another change, or another list, than the log has at this revision.
    case watchedOther(Int64)
    /// A watcher did not get this far.
    case watchEnded(at: Int64, of: Int64)
}

extension Violation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .gap(let last, let found): "the log has \(found) after \(last)"
        case .notOneToggle(let revision): "change \(revision) is not the effect of one call"
        case .impossible(let revision): "change \(revision) saves an existing favorite, or removes a missing one"
        case .evictedOthers(let revision): "change \(revision) evicted others than the oldest"
        case .overfull(let revision, let count): "after change \(revision) the list holds \(count)"
        case .otherThanLog(let listed, let logged):
            "the list at revision \(listed) differs from its log up to \(logged)"
        case .lost(let id, let revision): "request \(id) got change \(revision), which it did not make"
        case .unclaimed(let revision): "no answer names change \(revision)"
        case .claimedTwice(let revision, let first, let second):
            "requests \(first) and \(second) both got the answer that they made change \(revision)"
        case .toldOfOtherEvictions(let id, let revision):
            "request \(id) got other evictions than those of change \(revision)"
        case .notConfirmed(let id, let revision):
            "request \(id) changed nothing, but got a state that the list did not have at revision \(revision)"
        case .answersDiffer(let id): "request \(id) got two different answers"
        case .wentBack(let id, let from, let to):
            "request \(id) was answered with revision \(to), after \(from) had been answered"
        case .watchGap(let last, let found): "a watcher saw \(last) followed by \(found)"
        case .watchedOther(let revision): "a watcher saw another change than the log has at revision \(revision)"
        case .watchEnded(let revision, let current): "a watcher got to revision \(revision) of \(current)"
        }
    }
}
