import Browse
import MarvelDomain
import TerminalUI

/// The main states of the app, by name.
enum Gallery {
    static let all: [(name: String, model: @Sendable (Int, Int) -> BrowseModel)] = [
        ("results", { results($0, $1).model }),
        ("results with pictures", { pictures($0, $1, .list).model }),
        ("grid", { pictures($0, $1, .grid).model }),
        ("grid without pictures", { grid($0, $1).model }),
        ("favorites", { favorites($0, $1).model }),
        ("favorites in a grid", { favorites($0, $1, .grid).model }),
        ("no favorites", { noFavorites($0, $1).model }),
        ("first start", { Scene.staged($0, $1).model }),
        ("suggestions", { suggestions($0, $1).model }),
        ("nothing found", { nothing($0, $1).model }),
        ("trouble", { trouble($0, $1).model }),
        ("server gone", { gone($0, $1).model }),
        ("rows to come", { toCome($0, $1).model }),
        ("message", { message($0, $1).model }),
        ("detail", { detail($0, $1).model }),
        ("help", { help($0, $1).model }),
    ]

    static func results(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows)
        stage.live(names: "Spider-Man (Peter Parker)", "스파이더맨 누아르", "Spider-Man (Ultimate)")
        stage.search("spi")
        stage.press(.down)
        stage.press(.enter)
        stage.press(.down, .down)
        return stage
    }

    static func pictures(_ columns: Int, _ rows: Int, _ style: CardStyle) -> Scene {
        var stage = Scene.staged(columns, rows, style: style, showsPictures: true)
        stage.picture = { key in
            switch key.characterID % 3 {
            case 0: .image(.stripes)
            case 1: .none
            default: .failed
            }
        }
        stage.live(names: "Spider-Man (Peter Parker)", "스파이더맨 누아르")
        stage.search("spider")
        stage.press(.right, .down)
        return stage
    }

    static func grid(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows, style: .grid)
        stage.live(names: "Spider-Man (Peter Parker)", "스파이더맨 누아르")
        stage.search("spider")
        return stage
    }

    static func favorites(_ columns: Int, _ rows: Int, _ style: CardStyle = .list) -> Scene {
        var stage = Scene.staged(columns, rows, style: style, showsPictures: true)
        stage.picture = { _ in .image(.stripes) }
        stage.live(names: "Spider-Man (Peter Parker)", "스파이더맨 누아르", "Spider-Ham (Larval Earth)")
        stage.press(.tab, .down, .enter)
        return stage
    }

    static func noFavorites(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows)
        stage.live([])
        stage.press(.tab)
        return stage
    }

    static func suggestions(_ columns: Int, _ rows: Int) -> Scene {
        var stage = results(columns, rows)
        stage.type("/d")
        stage.send(.suggestions(typed: "spid", names: ["Spider-Girl (Anya Corazon)", "스파이더맨", "Spider-Woman"]))
        stage.press(.down, .down)
        return stage
    }

    static func nothing(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows)
        stage.live([])
        stage.characters = []
        stage.search("zzz")
        return stage
    }

    static func trouble(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows)
        stage.live([])
        stage.failure = FailureNotice(
            "The source of the characters does not answer.",
            whatToDo: "It may be back in a minute; what was found before is still here."
        )
        stage.search("spider")
        return stage
    }

    static func gone(_ columns: Int, _ rows: Int) -> Scene {
        var stage = results(columns, rows)
        stage.press(.tab)
        stage.lose()
        return stage
    }

    static func toCome(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows, showsPictures: true)
        stage.total = 100_000
        stage.isStale = true
        stage.live([])
        stage.search("spider")
        stage.press(.pageDown)
        return stage
    }

    static func message(_ columns: Int, _ rows: Int) -> Scene {
        var stage = results(columns, rows)
        let trouble = FailureNotice(
            "The list is full of favorites that others saved.",
            whatToDo: "Remove a favorite first.",
            canRetry: true
        )
        stage.send(.toggleRefused(characterID: 1_009_157, trouble))
        return stage
    }

    static func detail(_ columns: Int, _ rows: Int) -> Scene {
        var stage = pictures(columns, rows, .list)
        stage.press(.home)
        stage.type("d")
        return stage
    }

    static func help(_ columns: Int, _ rows: Int) -> Scene {
        var stage = Scene.staged(columns, rows)
        stage.live([])
        stage.press(.f1)
        return stage
    }
}

extension PixelImage {
    /// 12 × 12 pixels: red, yellow and blue, one below the other.
    static var stripes: PixelImage {
        let colors: [[UInt8]] = [[200, 30, 40, 255], [240, 200, 60, 255], [40, 70, 180, 255]]
        let pixels = (0..<144).flatMap { colors[$0 / 48] }
        return PixelImage(width: 12, height: 12, pixels: pixels) ?? .dot
    }

    private static var dot: PixelImage {
        guard let dot = PixelImage(width: 1, height: 1, pixels: [0, 0, 0, 255]) else {
            preconditionFailure("one pixel")
        }
        return dot
    }
}
