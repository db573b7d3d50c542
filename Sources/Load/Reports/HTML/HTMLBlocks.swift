internal import MarvelDomain

enum HTMLBlocks {
    typealias Section = (title: String, body: String)

    static func section(_ section: Section) -> String {
        "<section>\n<h2>\(section.title.escapedForHTML)</h2>\n<div class=\"scroll\">\n\(section.body)\n</div>\n</section>"
    }

    static func cards(_ cards: [(title: String, value: String)]) -> String {
        let items = cards.map { card in
            "<div class=\"card\"><b>\(card.value.escapedForHTML)</b><span>\(card.title.escapedForHTML)</span></div>"
        }
        return "<div class=\"cards\">\n\(items.joined(separator: "\n"))\n</div>"
    }

    static func warnings(_ texts: [String]) -> String {
        texts.map { "<p class=\"warning\">\($0.escapedForHTML)</p>\n" }.joined()
    }

    /// On narrow pages, the style sheet shows each row as a block and each cell with its title.
    static func table(_ table: ReportTable) -> String {
        var text = table.titles == nil ? "<table>\n" : "<table class=\"titled\">\n"
        if let titles = table.titles {
            let cells = titles.enumerated().map { cell("th", $1, classes: numberClass(at: $0, in: table)) }
            text += "<thead><tr>\(cells.joined())</tr></thead>\n"
        }
        text += "<tbody>\n"
        for (index, row) in table.rows.enumerated() {
            let verdict = table.verdicts.indices.contains(index) ? table.verdicts[index] : nil
            text += "<tr>\(cells(row, of: table, verdict: verdict).joined())</tr>\n"
        }
        return text + "</tbody>\n</table>"
    }

    private static func cells(_ row: [String], of table: ReportTable, verdict: Bool?) -> [String] {
        row.enumerated().map { index, text in
            var classes = numberClass(at: index, in: table)
            if let verdict, index == row.count - 1 { classes.append(verdict ? "holds" : "fails") }
            let title = table.titles.map { $0[index] } ?? ""
            return cell("td", text, classes: classes, title: index > 0 ? title : "")
        }
    }

    private static func numberClass(at column: Int, in table: ReportTable) -> [String] {
        column > 0 && table.alignsRight ? ["number"] : []
    }

    private static func cell(_ name: String, _ text: String, classes: [String], title: String = "") -> String {
        let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
        let label = title.isEmpty ? "" : " data-title=\"\(title.escapedForHTML)\""
        return "<\(name)\(style)\(label)>\(text.escapedForHTML)</\(name)>"
    }
}
