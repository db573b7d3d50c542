import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

@Suite
struct CardViewTests {
    private func frames(_ stage: Scene) -> [BrowseLayout.PlacedCard] { stage.view.layout.cards }

    @Test(arguments: [CardStyle.list, .grid], [false, true])
    func aFavoriteHasAStarAndABackgroundOfItsOwn(style: CardStyle, showsPictures: Bool) throws {
        var stage = Scene.staged(80, 24, style: style, showsPictures: showsPictures)
        stage.live(names: "Spider-Girl (Anya Corazon)")
        stage.search("spider")
        stage.press(.down, .right, .down)
        let screen = stage.screen
        for card in frames(stage) where !stage.view.isSelected(card.place) {
            let corner = Position(column: card.text.columns.upperBound - 1, row: card.text.rows.upperBound - 1)
            #expect(screen[corner].style.background == (card.place == 1 ? .favorite : .standard))
        }
        let star = try #require(screen.find(Symbol.favorite))
        #expect(frames(stage)[1].text.contains(star))
    }

    @Test(arguments: [CardStyle.list, .grid], [false, true])
    func theSelectionHasABarAndABackground(style: CardStyle, showsPictures: Bool) throws {
        var stage = Scene.staged(80, 24, style: style, showsPictures: showsPictures)
        stage.live([])
        stage.search("spider")
        let card = try #require(frames(stage).first)
        let bar = Position(column: style == .list ? 0 : card.text.column, row: card.text.row)
        let name = Position(column: card.text.columns.upperBound - 1, row: card.text.row)
        #expect(String(stage.screen[bar].grapheme) == Symbol.selection)
        #expect(stage.screen[name].style.background == .selection)
        // While a person types, no key goes to the cards.
        stage.type("/")
        #expect(stage.screen.find(Symbol.selection) == nil)
        #expect(stage.screen[name].style.background == .standard)
    }

    @Test(arguments: [CardStyle.list, .grid], [false, true])
    func aSelectedFavoriteLooksSelectedAndFavorite(style: CardStyle, showsPictures: Bool) throws {
        var stage = Scene.staged(80, 24, style: style, showsPictures: showsPictures)
        stage.live(names: "Spider-Man (Peter Parker)")
        stage.search("spider")
        let screen = stage.screen
        let frame = try #require(frames(stage).first).frame
        let backgrounds = frame.rows.flatMap { row in
            frame.columns.map { screen[Position(column: $0, row: row)].style.background }
        }
        #expect(backgrounds.contains(.favorite) && backgrounds.contains(.selection))
    }

    @Test(arguments: [
        ("Spider-Man (Peter Parker)", "SM"), ("Thor", "T"), ("스파이더맨 누아르", "스누"), ("3-D Man", "3D"), ("★", "★"),
        ("", ""),
        ("  é\u{1B}a", "ÉA"), ("ß", "SS"),
    ])
    func initialsReplaceAMissingPicture(name: String, expected: String) {
        #expect(MarvelCharacter(id: 1, name: name).initials == expected)
    }

    @Test func rowsThatAreNotLoadedSaySo() {
        var stage = Gallery.toCome(80, 24)
        #expect(stage.screen.find("Loading…") != nil)
        if let id = stage.lastSearch { stage.send(.search(id, .failed(.gone))) }
        #expect(stage.screen.find("Loading…") == nil)
        #expect(stage.screen.find("Not loaded.") != nil)
    }
}
