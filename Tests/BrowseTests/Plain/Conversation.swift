import Browse
import MarvelDomain
import TerminalUI

/// A person who types lines, the plain view, and the app with its server and clock.
final class Conversation {
    /// Answers searches at once.
    var isServed = true
    private(set) var scene: Scene
    private var view: PlainView
    private var sentences: [String] = []

    /// - Parameters:
    ///   - total: Characters that every search finds.
    ///   - favorites: The list; nil if the server has not sent it.
    init(total: Int = 12, live favorites: [Int64]? = []) {
        scene = Scene(columns: PlainView.size.columns, rows: PlainView.size.rows)
        scene.total = total
        view = PlainView(scene.model)
        scene.watch = { [unowned self] model in sentences += view.saw(model) }
        scene.send(.recentSearchesLoaded(["thor"]))
        if let favorites { scene.live(favorites) }
    }

    var isWaiting: Bool { view.isWaiting }
    var isOver: Bool { view.isOver }

    /// Types a line, and returns the lines said until it is taken in, with those not taken before.
    func type(_ line: String) -> [String] { type(.text(line)) }

    func type(_ line: PlainLine) -> [String] {
        let reply = view.typed(line)
        sentences += reply.sentences
        for event in reply.events { scene.send(event) }
        sentences += view.eventsSent()
        if isServed { scene.serve() }
        return take()
    }

    /// Makes something happen, and returns the lines said until it is over.
    func hear(_ happen: (inout Scene) -> Void) -> [String] {
        happen(&scene)
        return take()
    }

    func answer(_ id: Int64, isFavorite: Bool, revision: Int64, evicted: [Int64] = []) -> [String] {
        let evicted = evicted.map { Favorite(character: .number(Int($0) - 1), savedAt: Timestamp(seconds: 1)) }
        let result = ToggleResult(isFavorite: isFavorite, revision: revision, evicted: evicted)
        return hear { $0.send(.toggleAnswered(characterID: id, result)) }
    }

    func refuse(_ id: Int64, _ trouble: FailureNotice) -> [String] {
        hear { $0.send(.toggleRefused(characterID: id, trouble)) }
    }

    /// All searches fail.
    func fail(_ trouble: FailureNotice) -> [String] { hear { $0.end(.failed(trouble)) } }

    private func take() -> [String] {
        defer { sentences = [] }
        return sentences
    }
}
