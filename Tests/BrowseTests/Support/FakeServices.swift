import Browse
import MarvelClient
import MarvelDomain
import RPCCore
import TerminalUI

/// The world, as the test answers for it: each thing that is asked is a question that waits for the test.
final class FakeServices: BrowseServices {
    enum Call: Sendable {
        case page(SearchRequest, Question<SearchPage?>)
        case suggestions(String, Question<[NameSuggestion]>)
        case favorites(Question<LiveFavorites.State?>)
        case toggle(Int64, DesiredFavorite, Question<ToggleResult>)
        case picture(PictureKey, Question<PixelImage?>)
    }

    /// The calls that the test has not taken yet, in order.
    private let calls = AsyncStream.makeStream(of: Call.self)

    /// The next thing that is asked.
    func next() async -> Call? {
        for await call in calls.stream { return call }
        return nil
    }

    /// The next page that is asked for. All else that was asked before it waits for ever.
    func nextPage() async -> (request: SearchRequest, question: Question<SearchPage?>)? {
        while let call = await next() {
            if case .page(let request, let question) = call { return (request, question) }
        }
        return nil
    }

    /// The next toggle that is asked for; nil if a page is asked for before it. All else waits for ever.
    func nextToggle() async -> (id: Int64, desired: DesiredFavorite, question: Question<ToggleResult>)? {
        while let call = await next() {
            switch call {
            case .toggle(let id, let desired, let question): return (id, desired, question)
            case .page: return nil
            case .suggestions, .favorites, .picture: continue
            }
        }
        return nil
    }

    /// The next watch of the list; nil if something else is asked for before it.
    func nextFavorites() async -> Question<LiveFavorites.State?>? {
        guard case .favorites(let question) = await next() else { return nil }
        return question
    }

    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError> {
        Answers { [calls] () async throws(RPCError) -> SearchPage? in
            let question = Question<SearchPage?>()
            calls.continuation.yield(.page(request, question))
            return try await question.answer
        }
    }

    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never> {
        Answers { [calls] () async throws(Never) -> LiveFavorites.State? in
            let question = Question<LiveFavorites.State?>()
            calls.continuation.yield(.favorites(question))
            return (try? await question.answer) ?? nil
        }
    }

    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion] {
        let question = Question<[NameSuggestion]>()
        calls.continuation.yield(.suggestions(typed, question))
        return try await question.answer
    }

    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult {
        let question = Question<ToggleResult>()
        calls.continuation.yield(.toggle(characterID, desired, question))
        return try await question.answer
    }

    func picture(_ key: PictureKey) async throws -> PixelImage? {
        let question = Question<PixelImage?>()
        calls.continuation.yield(.picture(key, question))
        return try await question.answer
    }

    func notice(_ error: RPCError) -> FailureNotice { FailureNotice(error.message, whatToDo: "Wait a little.") }
}

/// A call that waits for the test's answer; a cancelled one ends with a failure.
final class Question<Value: Sendable>: Sendable {
    private let (answers, answering) = AsyncStream.makeStream(of: Result<Value, RPCError>.self)
    private let (cancels, cancelling) = AsyncStream.makeStream(of: Never.self)

    var answer: Value {
        get async throws(RPCError) {
            for await answer in answers { return try answer.get() }
            cancelling.finish()
            throw RPCError(.cancelled, "Cancelled.")
        }
    }

    func succeed(_ value: Value) { answering.yield(.success(value)) }
    func fail(_ trouble: RPCError) { answering.yield(.failure(trouble)) }

    /// Returns when whoever asked does not want the answer any more.
    func cancellation() async { for await _ in cancels {} }
}

/// A sequence whose elements are made one by one, on demand.
private struct Answers<Element: Sendable, Failure: Error>: AsyncSequence, AsyncIteratorProtocol {
    let answer: () async throws(Failure) -> Element?

    init(_ answer: @escaping () async throws(Failure) -> Element?) { self.answer = answer }

    func makeAsyncIterator() -> Answers { self }

    func next() async throws(Failure) -> Element? { try await answer() }

    func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? { try await answer() }
}
