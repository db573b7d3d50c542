@testable import TerminalUI

/// Draws a sixel sequence, from DCS to ST, on pixels: from the manual of the VT340.
struct SixelReader {
    struct Failure: Error {
        let reason: String
    }

    private(set) var width = 0
    private(set) var height = 0
    /// Row by row; nil where nothing was drawn.
    private(set) var pixels: [RGB?] = []
    private(set) var colors: [Int: RGB] = [:]

    private var rest: Substring
    private var color = 0
    private var column = 0
    private var top = 0

    init(_ sequence: String) throws {
        guard sequence.hasPrefix("\u{1B}P0;1;0q\"1;1;"), sequence.hasSuffix("\u{1B}\\") else {
            throw Failure(reason: "no frame")
        }
        rest = sequence.dropFirst(13).dropLast(2)
        width = try number()
        rest = rest.dropFirst()
        height = try number()
        pixels = Array(repeating: nil, count: width * height)
        while let first = rest.popFirst() { try take(first) }
    }

    private mutating func take(_ letter: Character) throws {
        switch letter {
        case "#": try takeColor()
        case "$": column = 0
        case "-": (column, top) = (0, top + 6)
        case "!":
            let count = try number()
            guard let letter = rest.popFirst() else { throw Failure(reason: "a run of nothing") }
            for _ in 0..<count { try draw(letter) }
        default: try draw(letter)
        }
    }

    private mutating func takeColor() throws {
        color = try number()
        guard rest.hasPrefix(";2;") else {
            guard colors[color] != nil else { throw Failure(reason: "color \(color) is not defined") }
            return
        }
        rest = rest.dropFirst(3)
        var parts: [UInt8] = []
        for place in 0..<3 {
            if place > 0 { rest = rest.dropFirst() }
            parts.append(UInt8(try number() * 255 / 100))
        }
        colors[color] = RGB(parts[0], parts[1], parts[2])
    }

    private mutating func draw(_ letter: Character) throws {
        guard let value = letter.asciiValue, (63...126).contains(value), column < width else {
            throw Failure(reason: "\(letter) in column \(column)")
        }
        for bit in 0..<6 where (value - 63) >> UInt8(bit) & 1 == 1 {
            guard top + bit < height else { throw Failure(reason: "below the picture") }
            pixels[(top + bit) * width + column] = colors[color]
        }
        column += 1
    }

    private mutating func number() throws -> Int {
        let digits = rest.prefix { $0.isNumber }
        rest = rest[digits.endIndex...]
        guard let number = Int(digits) else { throw Failure(reason: "no number") }
        return number
    }
}
