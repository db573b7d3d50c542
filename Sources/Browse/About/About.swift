package import MarvelDomain

/// The description of the server for the About sheet.
package struct About: Sendable, Equatable {
    /// The last description that the server sent; nil before the first.
    package private(set) var info: CatalogInfo?
    /// The reason why the last request failed; nil if it did not fail.
    package private(set) var failure: FailureNotice?
    /// Whether a request is in progress.
    package private(set) var isAwaited = false

    /// The answer to a request.
    package enum Answer: Sendable, Equatable {
        case info(CatalogInfo)
        case failed(FailureNotice)
    }

    package init() {}

    /// Requests the description. A server may have been replaced by another one since the last request.
    mutating func ask() -> [BrowseEffect] {
        isAwaited = true
        return [.askAbout]
    }

    mutating func received(_ answer: Answer) {
        isAwaited = false
        switch answer {
        case .info(let info): (self.info, failure) = (info, nil)
        case .failed(let failure): self.failure = failure
        }
    }
}
