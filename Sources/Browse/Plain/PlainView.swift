internal import MarvelDomain
package import TerminalUI

/// A view of the app as a conversation in lines, for screen readers. Input lines become events. Each change of the app's
/// state becomes sentences, which are output once and in order. Nothing is drawn.
///
/// The view has to get every state. It outputs only the answers to the user's input, and changes by other clients.
package struct PlainView: Sendable {
    /// The reply to an input line.
    package struct Reply: Sendable, Equatable {
        package var sentences: [String] = []
        /// The events for the app. After sending them, call `eventsSent`, also if there are none.
        package var events: [BrowseEvent] = []
    }

    /// A request of the user that is not answered yet.
    struct Awaited: Sendable, Equatable {
        enum Answer: Sendable, Equatable {
            /// The reading of a list from a place on.
            case reading(CardList, from: Int)
            case connection
            /// The description of the server.
            case about
        }

        var answer: Answer
        /// Whether the app has handled the request, so that its state belongs to the request.
        var isSent = false
        /// Whether the failure of the request was announced. The answer may still follow.
        var hasFailed = false
        /// The frame number of the app's spinner when the request began.
        var begin: Int
        var isProgressAnnounced = false
    }

    /// The size of a window with as many rows as are read out at a time, so that the app loads these rows and the next
    /// ones.
    package static let size = TerminalSize(columns: 80, rows: 14)
    package static let greeting = "Type a character's name to search for it, or help."

    /// The latest state of the app.
    private(set) var model: BrowseModel
    var reading: PlainReading?
    /// The place in the results to continue from after another list was read out.
    var placeInResults = 0
    var awaited: Awaited?
    /// The changes that the user has requested and the server has not answered, by the character's id.
    var pendingChanges: [Int64: FavoriteChange] = [:]
    /// The failed change that `retry` requests again.
    var refused: FavoriteChange?
    var announced = Announcements()

    /// A record of announcements, so that they are not repeated.
    struct Announcements: Sendable, Equatable {
        /// Whether the loss of the connection was announced.
        var isLost = false
        /// The attribution that was last read out with each kind of list.
        var attributions: [CardList: String] = [:]
        /// The query whose stale results were announced as stale.
        var stale: SearchQuery?
    }

    package init(_ model: BrowseModel) { self.model = model }

    /// Whether an answer to the user's input is awaited.
    package var isWaiting: Bool { awaited?.hasFailed == false || !pendingChanges.isEmpty }
    package var isOver: Bool { model.isOver }

    package mutating func typed(_ line: PlainLine) -> Reply {
        switch line {
        case .text(let text): reply(to: PlainInput(text))
        case .tooLong: reply(to: .invalid(.longLine))
        case .end: reply(to: .quit)
        }
    }

    /// Reads out the awaited answer after the app has handled the events of the last line.
    package mutating func eventsSent() -> [String] {
        guard awaited != nil else { return [] }
        awaited?.isSent = true
        return readAwaitedAnswer().map(\.printable)
    }

    /// Handles the new state of the app after one event.
    ///
    /// - Parameter model: The new state.
    /// - Returns: The sentences, one for each line.
    package mutating func saw(_ model: BrowseModel) -> [String] {
        let before = self.model
        self.model = model
        guard !model.isOver else { return [] }
        var sentences = connectionAnnouncements(since: before)
        sentences += listAnnouncements(since: before) + toggleAnnouncements(since: before)
        return (sentences + readAwaitedAnswer() + progress()).map(\.printable)
    }

    mutating func expect(_ answer: Awaited.Answer) {
        awaited = Awaited(answer: answer, begin: model.spinner ?? 0)
    }
}
