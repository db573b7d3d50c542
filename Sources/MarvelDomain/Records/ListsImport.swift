/// A store into which lists are imported.
package protocol ListTarget: Sendable {
    /// Gives a list the contents and the owner of a line. The list is deleted and filled again, in changes with new
    /// revisions, which watchers get. A list that already agrees with the line does not change. A line without an owner
    /// leaves that of the list.
    ///
    /// - Returns: Whether the list changed.
    func replace(_ line: ListLine) async throws(StoreError) -> Bool
}

/// An import of lists and edits of characters from text. The later of two lines for one of them counts.
package struct ListsImport {
    package struct Report: Sendable, Hashable {
        /// The lists that were created, or whose contents were replaced.
        package var changedCount = 0
        /// The lists that already agreed with the text.
        package var unchangedCount = 0
        package var favoriteCount = 0
        /// The characters whose edits are now those in the text.
        package var editCount = 0
    }

    /// All lines before the invalid line are imported.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String
        /// The lists that were imported before.
        package var report: Report
    }

    /// The maximums of the lists that are written at once, so that they share transactions.
    private static let (maximumLists, maximumBytes) = (256, 4 << 20)

    private let store: any ListTarget
    private let edits: any EditStore
    private var reader: LineReader
    private var report = Report()
    /// The lists that are not written yet, and the bytes of their lines.
    private var waiting: [ListLine] = []
    private var waitingBytes = 0

    /// Imports a text. A failed import is continued by running it again. Lists and characters that are not in the text
    /// do not change. A list is never imported in part.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - edits: The edits in the store.
    ///   - maximumLineLength: The maximum bytes of a line.
    ///   - readPiece: Returns the next bytes of the text; none at its end.
    /// - Returns: The number of lists, favorites and edits.
    /// - Throws: `Failure` if a line is invalid, with its number, or if the store cannot be written.
    package static func run(
        into store: any ListTarget,
        edits: any EditStore,
        maximumLineLength: Int = ListLine.maximumLength,
        readPiece: @escaping () throws -> [UInt8]
    ) async throws -> Report {
        let reader = LineReader(maximumLength: maximumLineLength, readPiece)
        var work = ListsImport(store: store, edits: edits, reader: reader)
        return try await work.run()
    }

    private init(store: any ListTarget, edits: any EditStore, reader: LineReader) {
        (self.store, self.edits, self.reader) = (store, edits, reader)
    }

    private mutating func run() async throws -> Report {
        do {
            while let bytes = try reader.next() {
                waitingBytes += bytes.count
                guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
                if let edit = try EditLine(bytes) { try await write(edit) } else { try await add(ListLine(bytes)) }
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            try await write()
            throw Failure(description: "line \(reader.number): \(error)", report: report)
        }
        try await write()
        return report
    }

    private mutating func add(_ line: ListLine) async throws {
        if waiting.contains(where: { $0.name == line.name }) { try await write() }
        waiting.append(line)
        if waiting.count >= Self.maximumLists || waitingBytes >= Self.maximumBytes { try await write() }
    }

    private mutating func write(_ line: EditLine) async throws {
        try await write()
        do throws(StoreError) {
            _ = try await edits.write(line.order) { _ in false }
        } catch {
            throw Failure(description: "the store cannot be written: \(error)", report: report)
        }
        report.editCount += 1
    }

    private mutating func write() async throws {
        var failure: StoreError?
        await withTaskGroup(of: (ListLine, Result<Bool, StoreError>).self) { [store, waiting] group in
            for line in waiting {
                group.addTask {
                    do throws(StoreError) {
                        return (line, .success(try await store.replace(line)))
                    } catch {
                        return (line, .failure(error))
                    }
                }
            }
            for await (line, result) in group {
                switch result {
                case .success(let isChanged):
                    if isChanged { report.changedCount += 1 } else { report.unchangedCount += 1 }
                    report.favoriteCount += line.favorites.count
                case .failure(let error): failure = error
                }
            }
        }
        if let failure { throw Failure(description: "the store cannot be written: \(failure)", report: report) }
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
    }
}

/// A reader of lines. It keeps one line, and the bytes that were read after it.
private struct LineReader {
    private let maximumLength: Int
    private let readPiece: () throws -> [UInt8]
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the last line, from 1 on; 0 before the first.
    private(set) var number = 0

    init(maximumLength: Int, _ readPiece: @escaping () throws -> [UInt8]) {
        (self.maximumLength, self.readPiece) = (maximumLength, readPiece)
    }

    /// Without its line break; nil at the end. A last line without a line break is a line.
    mutating func next() throws -> ArraySlice<UInt8>? {
        number += 1
        var searchedCount = 0
        while true {
            let end = bytes[(start + searchedCount)...].firstIndex(of: UInt8(ascii: "\n"))
            searchedCount = (end ?? bytes.count) - start
            guard searchedCount <= maximumLength else {
                throw ListLine.Problem("it has more than \(maximumLength) bytes")
            }
            if let end {
                defer { start = end + 1 }
                return bytes[start..<end]
            }
            guard !isAtEnd else {
                defer { start = bytes.count }
                return searchedCount == 0 ? nil : bytes[start...]
            }
            bytes.removeFirst(start)
            start = 0
            let piece = try readPiece()
            isAtEnd = piece.isEmpty
            bytes += piece
        }
    }
}
