import Foundation

@testable import TerminalUI

/// The screen that a terminal makes of the bytes of a frame: written independently, from ECMA-48 and the manuals, not
/// from the writer. It fails on everything that a writer has no business to send.
struct ReferenceTerminal {
    struct Cell: Equatable {
        var text = " "
        /// The second half of a wide grapheme.
        var isSecondHalf = false
        var look: Set<String> = []
    }

    /// A way to count the columns of a grapheme.
    enum Widths: CaseIterable {
        case clusters, parts, narrow
    }

    struct Failure: Error {
        let reason: String
    }

    struct Picture: Hashable {
        let bytes: [UInt8]
        let area: Rectangle
    }

    let columns: Int
    let rows: Int
    private let widths: Widths
    private(set) var cells: [Cell]
    private(set) var column = 3
    private(set) var row = 1
    private(set) var isCursorVisible = true
    private(set) var isSynchronized = false
    private var look: Set<String> = ["31"]

    private var images: [Substring: [UInt8]] = [:]
    private var placements: [Substring: (image: Substring, area: Rectangle)] = [:]
    /// The received part of an image that comes in pieces.
    private var pieces: (id: Substring, text: String)?

    init(columns: Int, rows: Int, widths: Widths = .clusters) {
        self.columns = columns
        self.rows = rows
        self.widths = widths
        // The screen of an earlier program.
        self.cells = Array(repeating: Cell(text: "#", look: ["7"]), count: columns * rows)
    }

    var text: String {
        (0..<rows).map { row in
            var line = ""
            for cell in cells[row * columns..<(row + 1) * columns] where !cell.isSecondHalf { line += cell.text }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    mutating func show(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure(reason: "no UTF-8") }
        var rest = Substring(text).unicodeScalars
        while let first = rest.first {
            if first == "\u{1B}" {
                try obey(&rest)
                continue
            }
            let run = rest.prefix { $0 != "\u{1B}" }
            rest = rest[run.endIndex...]
            guard run.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw Failure(reason: "a control character")
            }
            for grapheme in String(run) { print(grapheme) }
        }
    }

    private mutating func print(_ grapheme: Character) {
        switch widths {
        case .clusters: print(String(grapheme), width: grapheme.displayWidth)
        case .narrow: print(String(grapheme), width: grapheme.hasCertainWidth ? grapheme.displayWidth : 1)
        case .parts:
            if grapheme.hasCertainWidth {
                print(String(grapheme), width: grapheme.displayWidth)
            } else {
                for scalar in grapheme.unicodeScalars {
                    print(String(scalar), width: Character(scalar).reach)
                }
            }
        }
    }

    private mutating func print(_ text: String, width: Int) {
        guard width > 0 else { return }
        // Lines do not wrap: what does not fit goes to the end of the line.
        column = min(column, columns - width)
        for place in column..<column + width { clear(place) }
        cells[row * columns + column] = Cell(text: text, look: look)
        if width == 2 { cells[row * columns + column + 1] = Cell(isSecondHalf: true, look: look) }
        column = min(column + width, columns - 1)
    }

    /// Half of a wide grapheme is none.
    private mutating func clear(_ place: Int) {
        let index = row * columns + place
        if cells[index].isSecondHalf { cells[index - 1].text = " " }
        if place + 1 < columns, cells[index + 1].isSecondHalf {
            cells[index + 1] = Cell(look: cells[index + 1].look)
        }
        cells[index] = Cell(look: look)
    }

    var kittyPictures: Set<Picture> {
        Set(placements.values.map { Picture(bytes: images[$0.image] ?? [], area: $0.area) })
    }

    private mutating func obeyKitty(_ command: Substring) throws {
        let parts = command.split(separator: ";", maxSplits: 1)
        let pairs = parts[0].split(separator: ",").map { $0.split(separator: "=") }
        let keys = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        guard keys["q"] == "2" else { throw Failure(reason: "an answer is asked for") }
        switch (keys["a"], keys["d"]) {
        case ("t", _), (nil, _):
            let id = keys["i"] ?? pieces?.id ?? ""
            pieces = (id, (pieces?.text ?? "") + (parts.last ?? ""))
            if keys["m"] == "0" {
                images[id] = Data(base64Encoded: pieces?.text ?? "").map(Array.init)
                pieces = nil
            }
        case ("p", _):
            guard let image = keys["i"], images[image] != nil, keys["C"] == "1", let number = keys["p"],
                let width = keys["c"].flatMap({ Int($0) }), let height = keys["r"].flatMap({ Int($0) })
            else { throw Failure(reason: "nothing to place: \(command)") }
            placements[number] = (image, Rectangle(column: column, row: row, width: width, height: height))
        case ("d", "i"):
            guard placements.removeValue(forKey: keys["p"] ?? "")?.image == keys["i"] else {
                throw Failure(reason: "nothing to remove: \(command)")
            }
        case ("d", "I"): images[keys["i"] ?? ""] = nil
        case ("d", "A"): (images, placements) = ([:], [:])
        default: throw Failure(reason: "unknown: \(command)")
        }
    }

    private mutating func obey(_ rest: inout Substring.UnicodeScalarView) throws {
        if let second = rest.dropFirst().first, second == "_" {
            let text = String(rest)
            guard let end = text.range(of: "\u{1B}\\") else { throw Failure(reason: "a string without end") }
            let string = String(text[..<end.upperBound])
            rest = rest.dropFirst(string.unicodeScalars.count)
            try obeyKitty(string.dropFirst(3).dropLast(2))
            return
        }
        guard rest.dropFirst().first == "[", let end = rest.dropFirst(2).firstIndex(where: { ("@"..."~").contains($0) })
        else {
            throw Failure(reason: "no control sequence: \(String(rest.prefix(8)).debugDescription)")
        }
        let parameters = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
        let final = Character(rest[end])
        rest = rest[rest.index(after: end)...]
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch (final, parameters) {
        case ("h", "?2026"): isSynchronized = true
        case ("l", "?2026"): isSynchronized = false
        case ("h", "?25"): isCursorVisible = true
        case ("l", "?25"): isCursorVisible = false
        case ("J", "2"): cells = Array(repeating: Cell(look: look), count: columns * rows)
        case ("K", ""): for place in column..<columns { clear(place) }
        case ("C", _): column = min(column + max(numbers[0], 1), columns - 1)
        case ("H", _) where numbers.count == 2:
            guard (1...rows).contains(numbers[0]), (1...columns).contains(numbers[1]) else {
                throw Failure(reason: "the cursor leaves the window: \(parameters)")
            }
            (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case ("m", _): setLook(parameters)
        default: throw Failure(reason: "unknown: \(parameters)\(final)")
        }
    }

    private mutating func setLook(_ parameters: String) {
        let codes = parameters.split(separator: ";")
        if codes.isEmpty || codes[0] == "0" { look = [] }
        var rest = codes.drop { $0 == "0" }
        while let code = rest.popFirst() {
            if code == "38" || code == "48" {
                let count = rest.first == "2" ? 4 : 2
                look.insert(code + ":" + rest.prefix(count).joined(separator: ":"))
                rest = rest.dropFirst(count)
            } else {
                look.insert(String(code))
            }
        }
    }
}
