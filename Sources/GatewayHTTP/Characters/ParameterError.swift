internal import Upstream

/// An error in a request's parameters. Only the first error found is reported.
enum ParameterError: Error, Sendable, Hashable {
    case unknown(String)
    case blank(String)
    case limitTooLarge
    case limitNotPositive
    case unknownOrdering(String)
    case tooManyIDs(ResourceKind)
    case noValidID(ResourceKind)
    case invalidDate

    /// The error's text: exactly the original's, or our own choice where no response of the original was recorded.
    var status: String {
        switch self {
        case .unknown(let name): "We don't recognize the parameter \(name)"
        case .blank(let name): "\(name) cannot be blank if it is set"
        case .limitTooLarge: "You may not request more than 100 items."
        case .limitNotPositive: "You must pass an integer limit greater than 0."
        case .unknownOrdering(let word): "\(word) is not a valid ordering parameter."
        case .tooManyIDs(let kind): "You may not submit more than 10 \(kind.singular) ids."
        // The original left out "id" for series, and for series alone.
        case .noValidID(.series): "You must pass at least one valid series if you set the series filter."
        case .noValidID(let kind):
            "You must pass at least one valid \(kind.singular) id if you set the \(kind.singular) filter."
        case .invalidDate: "You must pass a valid date for modifiedSince"
        }
    }
}

extension ResourceKind {
    /// The original's word for one of them in errors of filters; comics are called issues.
    fileprivate var singular: String {
        switch self {
        case .comics: "issue"
        default: oneOfThem
        }
    }

    /// The original's word for one of them in the error of an unknown id.
    var oneOfThem: String {
        switch self {
        case .characters: "character"
        case .comics: "comic_issue"
        case .creators: "creator"
        case .events: "event"
        case .series: "series"
        case .stories: "story"
        }
    }
}
