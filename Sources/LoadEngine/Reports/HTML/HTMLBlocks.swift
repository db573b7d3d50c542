/// The page's building blocks.
enum HTMLBlocks {
    /// A heading and the markup under it.
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

    static func table(_ table: ReportTable) -> String {
        var text = "<table>\n"
        if let titles = table.titles { text += "<thead>" + row(titles, cell: "th", table.alignsRight) + "</thead>\n" }
        text += "<tbody>\n"
        for cells in table.rows { text += row(cells, cell: "td", table.alignsRight) + "\n" }
        return text + "</tbody>\n</table>"
    }

    private static func row(_ cells: [String], cell name: String, _ alignsRight: Bool) -> String {
        let items = cells.enumerated().map { index, cell in
            let style = index > 0 && alignsRight ? " class=\"number\"" : ""
            return "<\(name)\(style)>\(cell.escapedForHTML)</\(name)>"
        }
        return "<tr>\(items.joined())</tr>"
    }
}
