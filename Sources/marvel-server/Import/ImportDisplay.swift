import CatalogFiles
import Foundation
import MarvelDomain
import ProgramSupport
import Terminal

/// The progress display of an import, on standard error.
///
/// On a terminal it is one line that is updated. Elsewhere it is a new line every ten seconds, so that a log shows
/// progress.
final class ImportDisplay {
    private var line = StatusLine(on: FileOutput.standardError.isTerminal ? FileOutput.standardError : nil)
    private let clock = ContinuousClock()
    private var nextShow: ContinuousClock.Instant

    init() { nextShow = clock.now + .seconds(1) }

    func show(_ progress: ImportProgress) {
        guard clock.now >= nextShow else { return }
        nextShow = clock.now + (line.isVisible ? .milliseconds(200) : .seconds(10))
        if line.isVisible { line.show(progress.line) } else { printError(progress.line) }
    }

    func clear() { line.clear() }
}

extension ImportProgress {
    fileprivate var line: String {
        switch self {
        case .reading(let count): "reading: \(count.grouped) records"
        case .writing(let count): "writing: \(count.grouped) characters"
        }
    }
}
