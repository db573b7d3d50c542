internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A record beside the store, in `STORE.witness`: the store's progress at its last acknowledgement, and the losses that
/// no operator has acknowledged.
///
/// A disk may report a write that it did not do. Then the store after a restart is valid but older, and nothing inside
/// it shows that. The progress is not synced, and nothing depends on it. If it is behind the store, it has no meaning.
/// If it is ahead, changes were lost. It is the first line, of fixed length; each loss is a line after it.
final class StoreWitness: Sendable {
    struct Progress: Hashable, Sendable {
        /// The sum of the revisions of all lists, and of the last edit.
        var changeCount: Int64 = 0
        /// The list that changed last. `revision` and `digest` are its values after that change.
        var list: ListName = .default
        var revision: Int64 = 0
        var digest: Int64 = 0
        /// The history of the revisions; nil in a record of a version without histories.
        var history: HistoryID?
    }

    struct Record: Hashable, Sendable {
        /// Nil if it is missing, or cannot be read.
        var progress: Progress?
        /// The losses in words for the operator, each with the time when it was found.
        var losses: [String] = []
    }

    /// The first version of the schema whose stores have a record from their beginning. Earlier programs left none
    /// beside a restored store.
    private static let firstVersion = 6
    /// The length of the first line. Its contents are shorter: a list's name has at most 64 bytes, a number 20.
    private static let progressLength = 256
    private static let maximumLossCount = 20
    private static let maximumSize = 64 << 10
    private static let maximumReads = 4

    private let descriptor: Mutex<CInt?>
    private let last = Mutex(Progress())

    /// Nil if it cannot be written, which does not stop the server.
    init?(store: String) {
        let path = StoreWitness.path(of: store)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        _ = fchmod(descriptor, 0o600)
        self.descriptor = Mutex(descriptor)
    }

    /// Makes the missing or unreadable record of a store, without changes. It is synced, so that it exists if the store does.
    /// Returns whether it was made.
    @discardableResult
    static func make(of store: String) -> Bool {
        guard record(of: store).progress == nil, let witness = StoreWitness(store: store) else { return false }
        witness.write(line(Progress())) { descriptor, _ in fsync(descriptor) }
        FilePath.syncFolder(of: path(of: store))
        return true
    }

    /// Removes the record that `make` made for a store that did not get its name.
    static func remove(of store: String) { unlink(path(of: store)) }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() { close(open) }
        }
    }

    /// Replaces the whole record, and syncs it if it contains losses.
    func write(_ record: Record) {
        last.withLock { $0 = record.progress ?? Progress() }
        let losses = record.losses.prefix(StoreWitness.maximumLossCount).map { "loss \($0)\n" }.joined()
        write(StoreWitness.line(record.progress ?? Progress()) + losses.utf8) { descriptor, count in
            ftruncate(descriptor, off_t(count))
            if !losses.isEmpty { fsync(descriptor) }
        }
    }

    /// Overwrites the first line, which always has the same length. A failure is ignored: the progress is then older.
    func write(_ progress: Progress) {
        last.withLock { $0 = progress }
        write(StoreWitness.line(progress)) { _, _ in }
    }

    /// Writes the progress after a change that is not of a list.
    func write(changeCount: Int64) {
        var progress = last.withLock { $0 }
        progress.changeCount = changeCount
        write(progress)
    }

    private func write(_ bytes: [UInt8], _ finish: (_ descriptor: CInt, _ count: Int) -> Void) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            finish(descriptor, bytes.count)
        }
    }

    /// Made from bytes, because each commit makes it: interpolation took a twentieth of a toggle's time.
    private static func line(_ progress: Progress) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(progressLength)
        func append(_ word: String) {
            line += word.utf8
            line.append(UInt8(ascii: " "))
        }
        append("changes")
        append(String(progress.changeCount))
        append("last")
        append(progress.list.text)
        append(String(progress.revision))
        append(String(progress.digest))
        if let history = progress.history {
            append("history")
            append(String(history.value))
            let check = check(line)
            append("check")
            append(check)
        }
        line += repeatElement(UInt8(ascii: "."), count: max(0, progressLength - 1 - line.count))
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// A checksum over the words of the progress: a partly written line may contain any numbers.
    fileprivate static func check(_ words: [UInt8]) -> String {
        var hash = FNV1a()
        hash.combine(words)
        return String(hash.value, radix: 16)
    }

    /// Empty if the file is missing. The file may contain anything.
    static func record(of store: String) -> Record {
        // A server may write meanwhile.
        for _ in 1..<maximumReads {
            let record = readRecord(of: store)
            guard record.progress == nil, access(path(of: store), F_OK) == 0 else { return record }
            usleep(1_000)
        }
        return readRecord(of: store)
    }

    private static func readRecord(of store: String) -> Record {
        let bytes = FilePath.firstBytes(of: path(of: store), count: maximumSize)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let losses = lines.dropFirst().compactMap { line in
            line.hasPrefix("loss ") ? String(line.dropFirst("loss ".count).filter(isPrintable).prefix(500)) : nil
        }
        return Record(
            progress: lines.first.flatMap { Progress(line: String($0)) },
            losses: Array(losses.prefix(maximumLossCount))
        )
    }

    /// The loss of the record in words for the operator. Nil if it can be read, or need not exist: for a copy, and for a
    /// store older than records.
    static func loss(of store: String, _ record: Record, _ db: Database) throws -> String? {
        guard record.progress == nil, try StoreSchema.version(of: db) >= firstVersion,
            try !StoreHistory.read(db).isCopy
        else { return nil }
        return "\(path(of: store)) is missing or unreadable: lost acknowledged changes cannot be detected"
    }

    static func acknowledgeLosses(of store: String) throws(FavoritesStoreOpenError) {
        let path = StoreWitness.path(of: store)
        let bytes = FilePath.firstBytes(of: path, count: maximumSize)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
        guard truncate(path, off_t(end + 1)) == 0 else {
            let reason = String(cString: strerror(errno))
            throw FavoritesStoreOpenError("\(path) cannot be written: \(reason)")
        }
    }

    private static func isPrintable(_ character: Character) -> Bool {
        character.asciiValue.map { (0x20...0x7E).contains($0) } ?? false
    }

    private static func path(of store: String) -> String {
        FilePath.resolved(store) + ".witness"
    }
}

extension StoreWitness.Progress {
    /// Nil if no server wrote the line.
    init?(line: String) {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[0] == "changes", words[2] == "last",
            let changeCount = Int64(words[1]), changeCount >= 0, let list = ListName(String(words[3])),
            let revision = Int64(words[4]), revision >= 0, let digest = Int64(words[5])
        else { return nil }
        self.init(changeCount: changeCount, list: list, revision: revision, digest: digest)
        guard words.count >= 10, words[6] == "history", words[8] == "check" else { return }
        guard let history = Int64(words[7]),
            words[9] == StoreWitness.check(Array("\(words[..<8].joined(separator: " ")) ".utf8))
        else { return nil }
        self.history = HistoryID(history)
    }

    /// `list` changed last. `last` is its state, or its state when it was deleted.
    init(_ state: StoreState, last list: ListName, _ last: ListState) {
        self.init(
            changeCount: state.writer.changeCount,
            list: list,
            revision: last.revision,
            digest: last.digest,
            history: state.history.id
        )
    }

    /// Reads the progress from a store that no server has open. It is that of the list `default`, because the last
    /// change is unknown.
    init(reading db: Database) throws {
        let state = try ListsTable.state(of: .default, in: db) ?? ListState()
        self.init(
            changeCount: try StoreHistory.changeCount(in: db),
            revision: state.revision,
            digest: state.digest,
            history: try StoreHistory.read(db).id
        )
    }
}
