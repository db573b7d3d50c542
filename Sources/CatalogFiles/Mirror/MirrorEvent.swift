package import Catalog
package import Upstream

/// A progress event of a mirror.
package enum MirrorEvent: Sendable {
    /// The mirror begins or resumes.
    case began(MirrorPlan, isResumed: Bool)
    /// An answer was stored in the file, this long after its request.
    case answered(MirrorPlan, after: Duration)
    /// The mirror waits after an error, and makes no calls until then.
    case waiting(SourceError, until: Moment)
    /// Pictures of some more characters were processed.
    case pictures(MirrorPlan)
}
