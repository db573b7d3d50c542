import Foundation

/// Columns as wide as their widest cell: words to the left, numbers to the right.
struct TextTable: CustomStringConvertible {
    private let headings: [String]
    private var rows: [[String]] = []

    init(_ headings: [String]) { self.headings = headings }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var description: String {
        var columns: [[String]] = []
        for (index, heading) in headings.enumerated() {
            let cells = [heading] + rows.map { $0[index] }
            let width = cells.map(\.count).max() ?? 0
            let isNumeric = cells.dropFirst().allSatisfy { $0.isEmpty || $0 == "-" || $0.first?.isNumber == true }
            let padded = cells.map { cell in
                let space = String(repeating: " ", count: width - cell.count)
                return isNumeric ? space + cell : cell + space
            }
            columns.append([padded[0], String(repeating: "-", count: width)] + padded.dropFirst())
        }
        return (0..<rows.count + 2).map { row in columns.map { $0[row] }.joined(separator: "  ") }
            .joined(separator: "\n")
    }
}

/// Says on stderr what is under way; stdout is for the result.
enum Progress {
    static func show(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
