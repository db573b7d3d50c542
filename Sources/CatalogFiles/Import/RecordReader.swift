internal import Foundation
internal import MarvelDomain
internal import Upstream

/// Reads a text file's records. It finds only their ends, so a file may be larger than memory. A truncated or oversized
/// record is a failure, and the reader resumes after it.
struct RecordReader: ~Copyable {
    typealias Record = (bytes: Result<[UInt8], ImportProblem>, line: Int)

    /// Answers of the API are far smaller.
    static let maximumByteCount = 16 << 20
    private static let maximumDepth = 32
    private static let tooLarge = ImportProblem("it has more than \(maximumByteCount) bytes")
    private static let cutOff = ImportProblem("it is cut off")

    private var input: ByteReader
    private var isInArray = false
    /// The current record, at most one byte longer than allowed.
    private var bytes: [UInt8] = []

    init(_ path: String) throws { input = try ByteReader(path) }

    /// Skips a byte order mark. Call it before reading any record.
    mutating func start() throws -> [UInt8] { try input.start() }

    mutating func nextRow() throws -> Record? {
        while try input.peek() != nil {
            let line = input.line
            bytes.removeAll(keepingCapacity: true)
            while let byte = try input.peek(), byte != UInt8(ascii: "\n") { take(byte) }
            if try input.peek() != nil { input.skip() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            if !bytes.isEmpty { return (record, line) }
        }
        return nil
    }

    /// Consecutive values, even across lines, or the elements of an array.
    mutating func nextValue() throws -> Record? {
        while let byte = try input.peek() {
            switch byte {
            case UInt8(ascii: "[") where !isInArray, UInt8(ascii: "]") where isInArray:
                isInArray.toggle()
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                input.skip()
                return (.failure(ImportProblem("unmatched closing bracket")), input.line)
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                break
            default:
                let line = input.line
                return (try value(), line)
            }
            input.skip()
        }
        guard isInArray else { return nil }
        isInArray = false
        return (.failure(ImportProblem("the file ends inside an array")), input.line)
    }

    /// A broken value ends at an object where no object is allowed, so a broken line costs only that line.
    private mutating func value() throws -> Result<[UInt8], ImportProblem> {
        bytes.removeAll(keepingCapacity: true)
        var closing: [UInt8] = []
        var previous: UInt8 = 0
        while let byte = try input.peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","):
                if closing.isEmpty { return record }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard RecordReader.allowsValue(closing.last, previous) else {
                    // Only a brace may begin the next value.
                    if byte != UInt8(ascii: "{") { input.skip() }
                    return .failure(RecordReader.cutOff)
                }
                guard closing.count < RecordReader.maximumDepth else {
                    input.skip()
                    return .failure(ImportProblem("it is nested deeper than \(RecordReader.maximumDepth)"))
                }
                closing.append(byte + 2)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard let open = closing.popLast() else { return record }
                guard open == byte else {
                    input.skip()
                    return .failure(ImportProblem("its brackets do not match"))
                }
                if closing.isEmpty {
                    take(byte)
                    return record
                }
            case UInt8(ascii: "\""):
                guard try takeString() else { return .failure(RecordReader.cutOff) }
                previous = byte
                continue
            default:
                break
            }
            take(byte)
            if byte > UInt8(ascii: " ") { previous = byte }
        }
        return closing.isEmpty ? record : .failure(RecordReader.cutOff)
    }

    /// `closing` is the bracket that closes the innermost open object or array.
    private static func allowsValue(_ closing: UInt8?, _ previous: UInt8) -> Bool {
        switch closing {
        case nil: previous == 0
        case UInt8(ascii: "}"): previous == UInt8(ascii: ":")
        default: previous == UInt8(ascii: "[") || previous == UInt8(ascii: ",")
        }
    }

    /// Returns whether the string ends before the line does.
    private mutating func takeString() throws -> Bool {
        var isEscaped = true
        while let byte = try input.peek(), byte != UInt8(ascii: "\n") {
            take(byte)
            if !isEscaped, byte == UInt8(ascii: "\"") { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }

    private mutating func take(_ byte: UInt8) {
        input.skip()
        if bytes.count <= RecordReader.maximumByteCount { bytes.append(byte) }
    }

    private var record: Result<[UInt8], ImportProblem> {
        bytes.count <= RecordReader.maximumByteCount ? .success(bytes) : .failure(RecordReader.tooLarge)
    }
}

private struct ByteReader: ~Copyable {
    private static let pieceByteCount = 1 << 18
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Counts from 1.
    private(set) var line = 1
    private let descriptor: CInt
    private var piece: [UInt8] = []
    private var position = 0

    init(_ path: String) throws {
        let isStandardInput = path == CatalogImport.standardInput
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | (isStandardInput ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw ByteReader.unreadable }
        var status = stat()
        guard isStandardInput || (fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG) else {
            throw ImportProblem("it cannot be read: it is not a regular file")
        }
    }

    deinit { close(descriptor) }

    mutating func start() throws -> [UInt8] {
        while piece.count < 4096, try readMore() {}
        if piece.starts(with: ByteReader.byteOrderMark) { position = ByteReader.byteOrderMark.count }
        return Array(piece[position...].prefix(4096))
    }

    mutating func peek() throws -> UInt8? {
        if position == piece.count {
            piece.removeAll(keepingCapacity: true)
            position = 0
            guard try readMore() else { return nil }
        }
        return piece[position]
    }

    mutating func skip() {
        if piece[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func readMore() throws -> Bool {
        let descriptor = descriptor
        var result = 0
        let more = [UInt8](unsafeUninitializedCapacity: ByteReader.pieceByteCount) { buffer, count in
            repeat { result = read(descriptor, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
            count = max(result, 0)
        }
        guard result >= 0 else { throw ByteReader.unreadable }
        piece += more
        return !more.isEmpty
    }

    private static var unreadable: ImportProblem {
        ImportProblem("it cannot be read: \(String(cString: strerror(errno)))")
    }
}

struct ImportProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

enum ImportedValue: Decodable {
    /// `path` is the JSON path of the entries.
    case answer(entries: [CharacterEntry?], attribution: String, path: String)
    /// A character in the API's form. The first one of an export has a note on all origins.
    case character(CharacterEntry, ExportNote?)
    case superhero(ImportPreset.Fields)
    case refused(ImportProblem)

    init(_ bytes: [UInt8]) {
        do throws(JSONObject.Refusal) {
            let maximum = RecordReader.maximumByteCount
            self = try JSONObject.decode(ImportedValue.self, from: bytes, maximumByteCount: maximum)
        } catch {
            self = .refused(ImportProblem(error.description))
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let names = Set(fields.allKeys.map(\.stringValue))
        if names.contains("data") {
            let wrapper = try CharacterDataWrapper(from: decoder)
            self = .answer(entries: wrapper.data.results, attribution: wrapper.attribution, path: "$.data.results")
        } else if names.contains("results") {
            let data = try CharacterDataWrapper.Container(from: decoder)
            self = .answer(entries: data.results, attribution: "", path: "$.results")
        } else if names.contains("powerstats") || names.contains("biography") {
            self = .superhero(fields.superhero)
        } else if fields.isOfTheAPI {
            self = .character(try CharacterEntry(from: decoder), fields.lenient(ExportNote.self, "catalog"))
        } else if names.contains("code"), names.contains("status") || names.contains("message") {
            self = .refused(ImportProblem("it is an error response of the API"))
        } else {
            self = .refused(ImportProblem("it is neither a response of the API nor a character"))
        }
    }
}

private struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { return nil }
}

extension KeyedDecodingContainer<AnyKey> {
    /// Whether the id is Marvel's. An id and a name alone are no evidence.
    fileprivate var isOfTheAPI: Bool {
        contains("resourceURI") || (try? nestedUnkeyedContainer(forKey: "urls")) != nil
            || (["thumbnail", "comics", "series", "stories", "events"] as [AnyKey]).contains { key in
                (try? nestedContainer(keyedBy: AnyKey.self, forKey: key)) != nil
            }
    }

    fileprivate var superhero: ImportPreset.Fields {
        let preset = ImportPreset.superheroAPI
        var fields: ImportPreset.Fields = [:]
        for column in preset.columns { fields[column] = text(column) }
        fields[preset.id] = lenientInteger(AnyKey(stringValue: preset.id)).map(String.init)
        return fields
    }

    private func text(_ path: String) -> String? {
        guard let point = path.firstIndex(of: ".") else { return lenient(String.self, AnyKey(stringValue: path)) }
        let key = AnyKey(stringValue: String(path[..<point]))
        let rest = String(path[point...].dropFirst())
        return (try? nestedContainer(keyedBy: AnyKey.self, forKey: key))?.text(rest)
    }
}
