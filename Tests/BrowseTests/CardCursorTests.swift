import TerminalUI
import Testing

@testable import Browse

@Suite
struct CardCursorTests {
    private static func area(_ width: Int, _ height: Int) -> Rectangle {
        Rectangle(column: 0, row: 0, width: width, height: height)
    }
    private static let list = CardGrid(area: area(80, 10), style: .list, showsPictures: false)
    /// Three columns, three rows.
    private static let grid = CardGrid(area: area(78, 9), style: .grid, showsPictures: false)

    /// Of 100 cards, from the 50th on, which is in the middle of the screen.
    @Test(arguments: [
        (list, CardCursor.Move.up, 49, 45), (list, .down, 51, 45), (list, .left, 50, 45), (list, .right, 50, 45),
        (list, .pageUp, 40, 35), (list, .pageDown, 60, 55), (list, .halfPageUp, 45, 40), (list, .halfPageDown, 55, 50),
        (list, .first, 0, 0), (list, .last, 99, 90),
        (grid, .up, 47, 45), (grid, .down, 53, 45), (grid, .left, 49, 45), (grid, .right, 51, 45),
        (grid, .pageUp, 41, 36), (grid, .pageDown, 59, 54), (grid, .halfPageUp, 47, 42), (grid, .halfPageDown, 53, 48),
        (grid, .first, 0, 0), (grid, .last, 99, 93),
    ])
    func aMoveSelectsAndScrolls(grid: CardGrid, move: CardCursor.Move, selected: Int, top: Int) {
        var cursor = CardCursor(selected: 50, top: 45)
        cursor.move(move, in: grid, count: 100)
        #expect(cursor == CardCursor(selected: selected, top: top))
    }

    @Test(arguments: [list, grid], CardCursor.Move.allCases)
    func everyMoveSelectsAVisibleCard(grid: CardGrid, move: CardCursor.Move) {
        for count in [0, 1, 2, 4, 10, 11] {
            var cursor = CardCursor()
            for _ in 1...12 {
                cursor.move(move, in: grid, count: count)
                #expect((0..<max(count, 1)).contains(cursor.selected))
                #expect(count == 0 || cursor.visible(in: grid, count: count).contains(cursor.selected))
                #expect(cursor.top % grid.columns == 0)
            }
        }
    }

    @Test func downIntoAPartialLastRowSelectsItsLastCard() {
        var cursor = CardCursor(selected: 5)
        cursor.move(.down, in: Self.grid, count: 7)
        #expect(cursor.selected == 6)
        cursor.move(.down, in: Self.grid, count: 7)
        #expect(cursor.selected == 6)
    }
}
