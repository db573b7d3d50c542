import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

/// Whatever a person does, whatever the server answers, and whatever the window.
@Suite
struct MonkeyTests {
    private static let letters = [
        "a", "S", " ", "-", "é", "누", "아", "스", "👩‍🚀", "❤️", "🇰🇷", "★", "\u{301}", "\u{1B}", "\n", "\u{202E}",
    ]

    @Test(arguments: 1...10)
    func invariantsHold(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var scene = Scene(showsPictures: seed.isMultiple(of: 2))
        scene.total = [0, 7, 45, 3000].randomElement(using: &random) ?? 0
        let characters = (0..<40).map { character($0, &random) }
        scene.found = { place in
            var character = characters[place % characters.count]
            character.id = Int64(place) + 1
            return character
        }
        var loading: Set<PictureKey> = []
        for step in 1...400 {
            act(on: &scene, &random)
            for effect in scene.take() {
                switch effect {
                case .loadPicture(let key):
                    let isNew = loading.insert(key).inserted
                    #expect(isNew)
                case .cancelPicture(let key):
                    let removed = loading.remove(key)
                    #expect(removed == key)
                default: break
                }
            }
            if let key = loading.randomElement(using: &random), Bool.random(using: &random) {
                loading.remove(key)
                let states: [Pictures.State] = [.image(.stripes), .none, .failed]
                scene.send(.picture(key, states.randomElement(using: &random) ?? .none))
                for case .loadPicture(let key) in scene.take() { loading.insert(key) }
            }
            #expect(loading == scene.model.pictures.loading)
            #expect(loading.count <= Pictures.loadLimit)
            #expect(scene.awaitedPages <= 1 && scene.openSearches <= 1)
            #expect((0..<max(scene.model.count, 1)).contains(scene.model.cursor.selected))
            // Drawing takes most of the time.
            if step.isMultiple(of: 16) { checkScreen(of: scene) }
        }
        try rest(&scene)
    }

    private func checkScreen(of scene: Scene) {
        let screen = scene.screen
        for row in 0..<screen.size.rows {
            let cells = (0..<screen.size.columns).map { screen[Position(column: $0, row: row)] }
            #expect(cells.allSatisfy { $0.width == $0.grapheme.displayWidth || $0.width == 0 })
            #expect(cells.reduce(0) { $0 + Int($1.width) } == screen.size.columns)
        }
        #expect(screen.pictures.allSatisfy { screen.bounds.contains($0.rectangle) })
        #expect(screen.cursor.map(screen.bounds.contains) ?? true)
        #expect(!screen.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
        let layout = scene.view.layout
        guard !layout.isTooSmall, scene.model.sheet == nil, !layout.suggestions.overlaps(layout.rule) else { return }
        if !layout.rule.isEmpty {
            #expect(screen.line(layout.rule.row) == String(repeating: "─", count: screen.size.columns))
        }
        for tab in layout.tabs where tab.area.columns.upperBound < layout.helpHint.column {
            #expect(screen.line(0).contains(scene.model.label(of: tab.tab)))
        }
    }

    /// In the end nothing runs, and all that is on the screen is here.
    private func rest(_ scene: inout Scene) throws {
        scene.resize(80, 24)
        scene.press(.escape)
        scene.click(scene.model.layout.tabs[0].area)
        scene.press(.escape, .escape)
        scene.live([1, 2])
        scene.end(.ended)
        scene.press(.character("r"))
        scene.serve()
        let model = scene.model
        for place in model.cursor.visible(in: model.layout.grid, count: model.count) where model.tab == .search {
            #expect(model.character(at: place) == scene.found(place))
        }
    }

    private func act(on scene: inout Scene, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<8:
            // Not what quits.
            let letters = "hjklgGdovrxmiu/12? ".map { Key.character($0) } + "tfbduakew".map { Key.control($0) }
            let codes: [Key.Code] = [
                .enter, .tab, .escape, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
            ]
            scene.press((letters + codes.map { Key($0) }).randomElement(using: &random) ?? Key(.enter))
        case 8..<10: scene.wait(.milliseconds(Int.random(in: 1...3000, using: &random)))
        case 10..<14: scene.serveOnePage()
        case 14:
            let failure = FailureNotice(text(upTo: 200, &random), whatToDo: "누아르")
            let ends = [SearchEvent.ended, .failed(.gone), .failed(failure)]
            scene.end(ends.randomElement(using: &random) ?? .ended)
        case 15: scene.live((1...5).filter { _ in Bool.random(using: &random) })
        case 16: scene.lose()
        case 17:
            scene.resize(Int.random(in: 0...220, using: &random), Int.random(in: 0...70, using: &random))
        case 18:
            let size = scene.model.size
            let column = Int.random(in: 0...max(size.columns, 1), using: &random)
            let row = Int.random(in: 0...max(size.rows, 1), using: &random)
            let action: MouseEvent.Action = [.press, .scrollUp, .scrollDown].randomElement(using: &random) ?? .press
            scene.send(.terminal(.mouse(MouseEvent(action, at: Position(column: column, row: row)))))
        case 19: scene.send(.terminal(.paste(text(upTo: 60, &random))))
        case 20:
            let typed = scene.model.search.suggestions.typed ?? ""
            let match = ([nil] + Match.allCases).randomElement(using: &random) ?? nil
            scene.send(.suggestions(typed: typed, names: (0...9).map { _ in text(upTo: 70, &random) }, match: match))
        default:
            let id = Int64.random(in: 1...20, using: &random)
            let result = ToggleResult(isFavorite: Bool.random(using: &random), revision: 2)
            scene.send(
                Bool.random(using: &random)
                    ? .toggleRefused(characterID: id, .gone) : .toggleAnswered(characterID: id, result)
            )
        }
    }

    private func character(_ number: Int, _ random: inout SplitMix64) -> MarvelCharacter {
        MarvelCharacter(
            id: 0,
            name: "ab" + text(upTo: 40, &random),
            description: text(upTo: 300, &random),
            thumbnail: number.isMultiple(of: 4) ? nil : Thumbnail(path: "emblem/\(number)", fileExtension: "png"),
            comicCount: [0, 1, 12, .max].randomElement(using: &random) ?? 0,
            urls: [CharacterURL(type: text(upTo: 12, &random), url: text(upTo: 90, &random))]
        )
    }

    private func text(upTo count: Int, _ random: inout SplitMix64) -> String {
        let length = Int.random(in: 0...count, using: &random)
        return (0..<length).map { _ in MonkeyTests.letters.randomElement(using: &random) ?? "" }.joined()
    }
}
