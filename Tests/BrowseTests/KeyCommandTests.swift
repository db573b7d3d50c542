import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

@Suite
struct KeyCommandTests {
    @Test(arguments: [
        ([Key.character("k"), Key(.up)], KeyCommand.move(.up)),
        ([.character("j"), Key(.down)], .move(.down)),
        ([.character("h"), Key(.left)], .move(.left)),
        ([.character("l"), Key(.right)], .move(.right)),
        ([.character("g"), Key(.home)], .move(.first)),
        ([.character("G"), Key(.character("G"), .shift), Key(.end)], .move(.last)),
        ([.control("u")], .move(.halfPageUp)),
        ([.control("d")], .move(.halfPageDown)),
        ([.control("b"), Key(.pageUp)], .move(.pageUp)),
        ([.control("f"), Key(.pageDown)], .move(.pageDown)),
        ([Key(.enter)], .toggle),
        ([.character("u")], .undo),
        ([.character("x"), Key(.delete)], .remove),
        ([.character("d"), .character("o")], .showDetail),
        ([.character("v")], .changeStyle),
        ([.character("/"), .character("i")], .edit),
        ([Key(.escape)], .leave),
        ([.character("q")], .quit),
        ([.control("c")], .quit),
        ([.character("1")], .open(.search)),
        ([.character("2")], .open(.favorites)),
        ([Key(.tab), Key(.backTab), Key(.tab, .shift)], .otherTab),
        ([.character("m"), .control("t")], .changeMatch),
        ([.character("r"), .control("r")], .retry),
        ([.character("?"), Key(.f1)], .help),
    ])
    func aKeyMeansACommand(keys: [Key], command: KeyCommand) {
        for key in keys { #expect(KeyCommand(key) == command) }
    }

    @Test(arguments: [
        Key.character("n"), .character(" "), .character("z"), .control("z"), Key(.character("j"), .alt),
    ])
    func otherKeysMeanNothing(key: Key) {
        #expect(KeyCommand(key) == nil)
        var scene = Scene.searched()
        let before = scene.model
        scene.press(key)
        #expect(scene.model == before)
    }

    @Test func typedKeysAreTextInTheField() {
        var scene = Scene()
        scene.type("12?qvxr /jk")
        #expect(scene.model.search.field.text == "12?qvxr /jk")
        #expect(!scene.model.isOver)
    }

    @Test func upFromTheFirstCardGoesToTheFieldAndKDoesNot() {
        var scene = Scene.searched()
        scene.type("k")
        #expect(scene.model.search.focus == .cards)
        scene.press(.up)
        #expect(scene.model.search.focus == .field)
        scene.press(.down)
        #expect(scene.model.search.focus == .cards)
    }

    @Test func keysAfterQuittingHaveNoEffect() {
        for key in [Key.character("q"), .control("c")] {
            var scene = Scene.searched()
            scene.press(key)
            #expect(scene.take().last == .quit)
            #expect(scene.model.isOver)
            #expect(scene.model.isInterrupted == (key == .control("c")))
            scene.press(.enter)
            #expect(scene.take().isEmpty)
        }
    }

    @Test func controlCQuitsFromEverywhere() {
        for keys in [[Key.character("/")], [.character("?")], [.character("d")], [.character("2")]] {
            var scene = Scene.searched()
            for key in keys { scene.press(key) }
            scene.press(.control("c"))
            #expect(scene.model.isOver)
        }
    }

    // MARK: Sheets

    @Test(arguments: [Key(.escape), .character("q"), .character("d"), .character("o")])
    func theDetailOpensAndCloses(key: Key) throws {
        var scene = Scene.searched()
        scene.press(.down)
        scene.type("d")
        #expect(scene.model.sheet == .detail(.number(1)))
        _ = scene.take()
        scene.press(.enter)
        #expect(scene.take() == [.toggle(characterID: 2, desired: .saved)])
        scene.press(key)
        #expect(scene.model.sheet == nil)
        #expect(!scene.model.isOver)
    }

    @Test func theHelpOpensEverywhereAndScrollsToItsEnd() {
        var scene = Scene()
        scene.type("ab")
        scene.press(Key(.f1))
        #expect(scene.model.sheet == .help)
        for _ in 1...100 { scene.press(.down) }
        #expect(scene.model.sheetScroll == HelpSection.lines(width: 76).count - 19)
        scene.resize(200, 60)
        scene.press(.down)
        #expect(scene.model.sheet == .help && scene.model.sheetScroll == 0)
        scene.press(.escape)
        #expect(scene.model.sheet == nil)
        #expect(scene.model.search.focus == .field)
    }
}
