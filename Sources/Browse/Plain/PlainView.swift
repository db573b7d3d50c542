internal import MarvelDomain
package import TerminalUI

/// The app as a conversation in lines: what is typed becomes events, and what changes from one state to the next becomes
/// sentences, each said once. A screen reader speaks them in order; nothing is drawn.
///
/// It has to see every state. Nothing else is read than what the person asked for, and what others do to the list.
package struct PlainView: Sendable {
    /// What a line leads to.
    package struct Reply: Sendable, Equatable {
        package var sentences: [String] = []
        /// For the app. `eventsSent` has to be called behind them, also where there are none.
        package var events: [BrowseEvent] = []
    }

    /// What the person has asked for, and has not heard yet.
    struct Awaited: Sendable, Equatable {
        enum Answer: Sendable, Equatable {
            /// The list from that place on.
            case reading(CardList, from: Int)
            case connection
        }

        var answer: Answer
        /// The app knows of it: what its state says is about this.
        var isSent = false
        /// Why it does not come was said; it may come all the same.
        var hasFailed = false
        /// The app's count of waiting when it began.
        var begin: Int
        var isProgressSaid = false
    }

    /// A window that holds as many rows as are read out, so that the app loads those, and the next ones ahead.
    package static let size = TerminalSize(columns: 80, rows: 14)
    package static let greeting = "Type a character's name to search for it, or help."

    /// As it was seen last.
    private(set) var model: BrowseModel
    var reading: PlainReading?
    /// Where the results were when something else was read out.
    var placeInResults = 0
    var awaited: Awaited?
    /// What the person wants of characters, until the server has answered.
    var wishes: [Int64: FavoriteWish] = [:]
    /// What `retry` wants once more.
    var refused: FavoriteWish?
    var said = Said()

    /// What need not be said again.
    struct Said: Sendable, Equatable {
        /// The server is gone.
        var isLost = false
        /// Lines that were said with a kind of data.
        var attributions: [CardList: String] = [:]
        /// The search that was said to be answered by old data.
        var stale: SearchQuery?
    }

    package init(_ model: BrowseModel) { self.model = model }

    /// An answer to what was typed is to come.
    package var isWaiting: Bool { awaited?.hasFailed == false || !wishes.isEmpty }
    package var isOver: Bool { model.isOver }

    package mutating func typed(_ line: PlainLine) -> Reply {
        switch line {
        case .text(let text): reply(to: PlainInput(text))
        case .tooLong: reply(to: .unclear(.longLine))
        case .end: reply(to: .quit)
        }
    }

    /// The app has taken in what the last line led to.
    package mutating func eventsSent() -> [String] {
        guard awaited != nil else { return [] }
        awaited?.isSent = true
        return readWhatCame().map(\.printable)
    }

    /// Takes in what the app has become by one event.
    ///
    /// - Parameter model: The app's new state.
    /// - Returns: Sentences, one for a line.
    package mutating func saw(_ model: BrowseModel) -> [String] {
        let before = self.model
        self.model = model
        guard !model.isOver else { return [] }
        let news = connectionNews(since: before) + listNews(since: before) + toggleNews(since: before)
        return (news + readWhatCame() + progress()).map(\.printable)
    }

    mutating func expect(_ answer: Awaited.Answer) {
        awaited = Awaited(answer: answer, begin: model.spinner ?? 0)
    }
}
