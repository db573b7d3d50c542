import CatalogFiles
import Foundation

/// The progress display of an import, on standard error.
///
/// On a terminal it is one line that is updated. Elsewhere it is a new line every ten seconds, so that a log shows
/// progress.
final class ImportDisplay {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private var nextShow: ContinuousClock.Instant
    private var isShown = false

    init() { nextShow = clock.now + .seconds(1) }

    func show(_ progress: ImportProgress) {
        guard clock.now >= nextShow else { return }
        nextShow = clock.now + (isTerminal ? .milliseconds(200) : .seconds(10))
        guard isTerminal else { return printError(progress.line) }
        isShown = true
        // Return to the start of the line, and clear the line.
        FileHandle.standardError.write(Data("\r\u{1B}[K\(progress.line.prefix(79))".utf8))
    }

    func clear() {
        guard isShown else { return }
        isShown = false
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}

extension ImportProgress {
    fileprivate var line: String {
        switch self {
        case .reading(let path, let byteCount, let totalByteCount, let recordCount):
            let percent = totalByteCount == 0 ? 100 : byteCount * 100 / totalByteCount
            let name = URL(filePath: path).lastPathComponent.escapingControls
            return "reading: \(percent) %, \(grouped(recordCount)) records, \(name)"
        case .writing(let count, let total):
            return "writing: \(total == 0 ? 100 : count * 100 / total) %, \(grouped(count)) characters"
        }
    }
}
