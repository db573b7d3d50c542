package import Catalog
package import MarvelAPI

/// What a mirror has to tell while it works.
package enum MirrorEvent: Sendable {
    /// It begins, or goes on where it was stopped.
    case began(MirrorPlan, isResumed: Bool)
    /// An answer is in the file, so long after it was asked for.
    case answered(MirrorPlan, after: Duration)
    /// Nothing is asked until then.
    case waiting(MarvelAPIError, until: Moment)
    /// Pictures of some more characters were looked for.
    case pictures(MirrorPlan)
}
