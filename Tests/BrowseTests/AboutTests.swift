import Foundation
import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

@Suite
struct AboutTests {
    private let gone = FailureNotice("The server is gone.", canRetry: true)

    @Test func theServerIsAskedEachTimeTheSheetOpens() {
        var scene = Scene.searched()
        scene.type("a")
        #expect(scene.model.sheet == .about(scroll: 0))
        #expect(scene.take() == [.askAbout])
        scene.send(.about(.info(.ofAFile)))
        #expect(scene.model.about.info == .ofAFile)
        scene.type("a")
        #expect(scene.model.sheet == nil)
        scene.type("a")
        #expect(scene.take() == [.askAbout])
        // The last answer is shown until the next one is there.
        #expect(scene.model.about.info == .ofAFile)
    }

    @Test func helpAndAboutLeadToEachOther() {
        var scene = Scene.searched()
        scene.type("?a")
        #expect(scene.model.sheet == .about(scroll: 0))
        scene.type("?")
        #expect(scene.model.sheet == .help(scroll: 0))
        scene.press(.escape)
        #expect(scene.model.sheet == nil)
    }

    @Test func whatFailedIsAskedAgain() {
        var scene = Scene.searched()
        scene.type("a")
        scene.send(.about(.failed(gone)))
        #expect(scene.model.about.failure == gone)
        let lines = AboutText(scene.model, width: 76).lines.map { String($0.letters.map(\.grapheme)) }
        #expect(lines == ["The server is gone. r tries again."])
        _ = scene.take()
        scene.type("r")
        #expect(scene.take() == [.askAbout])
        scene.send(.about(.info(.ofAFile)))
        #expect(scene.model.about.failure == nil)
    }

    @Test func itScrollsAsFarAsThereIsText() {
        var scene = Scene(columns: 40, rows: 10)
        scene.press(.function(1))
        scene.type("a")
        scene.send(.about(.info(.ofAFile)))
        for _ in 1...100 { scene.press(.down) }
        let lines = AboutText(scene.model, width: 36).lines.count
        #expect(scene.model.sheet == .about(scroll: max(lines - 5, 0)))
        scene.resize(200, 60)
        scene.press(.down)
        #expect(scene.model.sheet == .about(scroll: 0))
    }

    @Test func aGatewayTellsLess() {
        let info = CatalogInfo(kind: .gateway, matches: [.prefix])
        #expect(info.facts(in: .utc).map(\.value) == ["gateway", "prefix"])
        let unknown = CatalogInfo(kind: .other(9), characterCount: 1)
        #expect(unknown.facts(in: .utc).map(\.value) == ["unknown (9), 1 character"])
    }
}
