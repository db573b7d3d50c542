package import TerminalUI

/// The positions of all parts of the screen, for drawing and for clicks.
///
///     tabs                       help
///     prompt field          match spinner
///     banner
///     ───────────────────────────────────
///     body: cards, or a notice
///     status
///     footer
package struct BrowseLayout: Sendable, Equatable {
    package static let smallest = TerminalSize(columns: 40, rows: 10)
    static let narrow = 70
    package static let suggestionLimit = 8
    package static let prompt = "Search: "
    package static let helpLabel = " ? Help "

    package struct TabLabel: Sendable, Equatable {
        package var tab: BrowseModel.Tab
        package var text: String
        package var area: Rectangle
    }

    package struct PlacedCard: Sendable, Equatable {
        package var place: Int
        package var frame: Rectangle
        /// Nil without pictures.
        package var picture: Rectangle?
        package var text: Rectangle
    }

    package let size: TerminalSize
    package let isTooSmall: Bool
    package let tabs: [TabLabel]
    package let helpHint: Rectangle
    /// The prompt of the Search tab. Like `field`, `match` and `spinner`, it is empty in the other tab.
    package let prompt: Rectangle
    package let field: Rectangle
    package let match: Rectangle
    package let matchLabel: String
    package let spinner: Rectangle
    package let banner: Rectangle
    package let rule: Rectangle
    package let body: Rectangle
    package let status: Rectangle
    package let footer: Rectangle
    package let grid: CardGrid
    package let cards: [PlacedCard]
    package let suggestions: Rectangle
    package let suggestionsFrame: Rectangle
    package let message: Rectangle
    package let sheet: Rectangle
    /// Nil without pictures, or without room for one.
    package let detailPicture: Rectangle?
    package let sheetText: Rectangle?
}

extension BrowseModel {
    package var layout: BrowseLayout { BrowseLayout(self) }
}

extension BrowseLayout {
    package init(_ model: BrowseModel) {
        let size = model.size
        var rows = RowCutter(Rectangle(column: 0, row: 0, width: size.columns, height: size.rows))
        let header = rows.cutTop(1)
        let fieldRow = rows.cutTop(model.tab == .search ? 1 : 0)
        let bannerWidth = max(size.columns - 2, 1)
        let bannerRows = model.banner.map { StyledText($0.printable).lines(width: bannerWidth, count: 3).count } ?? 0
        self.size = size
        isTooSmall = size.columns < BrowseLayout.smallest.columns || size.rows < BrowseLayout.smallest.rows
        banner = rows.cutTop(bannerRows)
        rule = rows.cutTop(size.rows >= 16 ? 1 : 0)
        // The full attribution is required, so a long one takes two rows.
        footer = rows.cutBottom(model.attribution.printable.displayWidth > size.columns ? 2 : 1)
        status = rows.cutBottom(1)
        body = rows.rest

        tabs = BrowseLayout.labels(model, in: header)
        helpHint = header.last(BrowseLayout.helpLabel.count)
        prompt = fieldRow.first(BrowseLayout.prompt.count)
        spinner = fieldRow.last(2)
        let way = model.search.match
        matchLabel = " \(size.columns < BrowseLayout.narrow ? way.shortWords : way.words) "
        let matchWidth = matchLabel.count
        match = fieldRow.dropLast(2).last(matchWidth)
        field = fieldRow.dropFirst(BrowseLayout.prompt.count).dropLast(2 + matchWidth + 1)

        grid = CardGrid(area: body, style: model.style, showsPictures: model.pictures.isEnabled)
        cards = BrowseLayout.place(model, in: grid)
        suggestions = BrowseLayout.suggestions(model, below: field, in: body)
        suggestionsFrame = BrowseLayout.frame(around: suggestions, in: body)
        let messageRows = model.messageLines(columns: size.columns, rows: body.height + 1).count
        message = Rectangle(column: 0, row: status.row + 1 - messageRows, width: size.columns, height: messageRows)
        sheet = Rectangle(column: 0, row: 1, width: size.columns, height: max(status.row - 1, 0))
        (detailPicture, sheetText) = BrowseLayout.sheetParts(model, in: sheet)
    }

    /// In columns. Longer lines are hard to read.
    private static let widestLine = 100

    private static func sheetParts(
        _ model: BrowseModel,
        in sheet: Rectangle
    ) -> (picture: Rectangle?, text: Rectangle?) {
        guard case .detail = model.sheet else {
            return (nil, model.sheet == nil ? nil : sheet.inset(columns: 2, rows: 1))
        }
        let inside = sheet.dropFirst(1).dropLast(1)
        let width = min(inside.width * 2 / 5, 2 * (inside.height - 2), 60) / 2 * 2
        guard model.pictures.isEnabled, width >= 12 else {
            return (nil, inside.inset(rows: 1).first(widestLine))
        }
        let picture = Rectangle(column: inside.column, row: inside.row + 1, width: width, height: width / 2)
        return (picture, inside.dropFirst(width + 2).inset(rows: 1).first(widestLine))
    }

    private static func labels(_ model: BrowseModel, in header: Rectangle) -> [TabLabel] {
        var rest = header.dropFirst(1)
        return BrowseModel.Tab.allCases.map { tab in
            let text = " \(model.label(of: tab)) "
            let area = rest.first(text.count)
            rest = rest.dropFirst(text.count + 1)
            return TabLabel(tab: tab, text: text, area: area)
        }
    }

    private static func place(_ model: BrowseModel, in grid: CardGrid) -> [PlacedCard] {
        let top = model.cursor.top
        return model.cursor.visible(in: grid, count: model.count).compactMap { place in
            grid.frame(ofCardAt: place, top: top).map { frame in
                PlacedCard(
                    place: place,
                    frame: frame,
                    picture: grid.picture?.moved(to: frame),
                    text: grid.text.moved(to: frame)
                )
            }
        }
    }

    private static func suggestions(_ model: BrowseModel, below field: Rectangle, in body: Rectangle) -> Rectangle {
        let suggestions = model.search.suggestions
        let isShown = model.tab == .search && model.search.focus == .field
        // Keep most of the results visible.
        let maximum = min(suggestionLimit, max(body.height / 3, 3), body.height)
        // The name of a suggestion may be wider than the field.
        let width = min(body.columns.upperBound - field.column - 1, 60)
        let height = isShown ? min(suggestions.names.count, maximum) : 0
        return Rectangle(column: field.column, row: field.row + 1, width: width, height: height)
    }

    var freeBody: Rectangle {
        guard !suggestionsFrame.isEmpty else { return body }
        var rows = RowCutter(body)
        _ = rows.cutTop(max(suggestionsFrame.rows.upperBound - body.row, 0))
        return rows.rest
    }

    private static func frame(around names: Rectangle, in body: Rectangle) -> Rectangle {
        guard !names.isEmpty else { return names }
        let bottom = names.rows.upperBound < body.rows.upperBound ? 1 : 0
        return Rectangle(
            column: names.column - 1,
            row: names.row,
            width: names.width + 2,
            height: names.height + bottom
        )
    }
}

extension BrowseLayout {
    package enum Target: Sendable, Hashable {
        case tab(BrowseModel.Tab)
        case help
        case field
        case match
        case suggestion(Int)
        /// A result or a favorite, by its place in the list.
        case card(Int)
        case outside
    }

    package func target(at position: Position) -> Target? {
        guard !isTooSmall, !message.contains(position) else { return nil }
        if let label = tabs.first(where: { $0.area.contains(position) }) { return .tab(label.tab) }
        if helpHint.contains(position) { return .help }
        guard sheetText == nil else { return sheet.contains(position) ? nil : .outside }
        if suggestions.contains(position) { return .suggestion(position.row - suggestions.row) }
        // The frame of the suggestions covers the targets below it.
        guard !suggestionsFrame.contains(position) else { return nil }
        if match.contains(position) { return .match }
        if field.contains(position) || prompt.contains(position) { return .field }
        return cards.first { $0.frame.contains(position) }.map { .card($0.place) }
    }
}

extension Rectangle {
    func first(_ width: Int) -> Rectangle {
        Rectangle(column: column, row: row, width: min(width, self.width), height: height)
    }

    func last(_ width: Int) -> Rectangle {
        let width = min(width, self.width)
        return Rectangle(column: column + self.width - width, row: row, width: width, height: height)
    }

    func dropFirst(_ width: Int) -> Rectangle { last(self.width - min(width, self.width)) }

    func dropLast(_ width: Int) -> Rectangle { first(self.width - min(width, self.width)) }

    func moved(to origin: Rectangle) -> Rectangle {
        Rectangle(column: column + origin.column, row: row + origin.row, width: width, height: height)
    }
}

struct RowCutter {
    private(set) var rest: Rectangle

    init(_ area: Rectangle) { rest = area }

    mutating func cutTop(_ height: Int) -> Rectangle {
        var top = rest
        top.height = min(height, rest.height)
        rest.row += top.height
        rest.height -= top.height
        return top
    }

    mutating func cutBottom(_ height: Int) -> Rectangle {
        var bottom = rest
        bottom.height = min(height, rest.height)
        rest.height -= bottom.height
        bottom.row += rest.height
        return bottom
    }
}
