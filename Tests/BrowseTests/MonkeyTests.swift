import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

/// Whatever a person does, and whatever the server answers.
@Suite
struct MonkeyTests {
    @Test(arguments: 1...10)
    func invariantsHold(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var scene = Scene(showsPictures: seed.isMultiple(of: 2))
        scene.total = [0, 7, 45, 3000].randomElement(using: &random) ?? 0
        var loading: Set<PictureKey> = []
        for _ in 1...400 {
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
                scene.send(.picture(key, [.none, .failed].randomElement(using: &random) ?? .none))
                for case .loadPicture(let key) in scene.take() { loading.insert(key) }
            }
            #expect(loading == scene.model.pictures.loading)
            #expect(loading.count <= Pictures.loadLimit)
            #expect(scene.awaitedPages <= 1 && scene.openSearches <= 1)
            #expect((0..<max(scene.model.count, 1)).contains(scene.model.cursor.selected))
        }
        try rest(&scene)
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
            #expect(model.character(at: place)?.name == "Hero \(place)")
        }
    }

    private func act(on scene: inout Scene, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<20, using: &random) {
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
            let ends = [SearchEvent.ended, .failed(.gone), .failed(FailureNotice("No."))]
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
        default:
            let id = Int64.random(in: 1...20, using: &random)
            let result = ToggleResult(isFavorite: Bool.random(using: &random), revision: 2)
            scene.send(
                Bool.random(using: &random)
                    ? .toggleRefused(characterID: id, .gone) : .toggleAnswered(characterID: id, result)
            )
        }
    }
}
