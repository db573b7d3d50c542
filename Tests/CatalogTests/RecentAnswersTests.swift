import MarvelDomain
import NIOCore
import RPCCore
import Testing

@testable import Catalog

@Suite struct RecentAnswersTests {
    private let answers = RecentAnswers()

    private func answer(to request: ByteBuffer) -> RecentAnswers.Answer {
        let message = EncodedMessage(request)
        return RecentAnswers.Answer(of: answers, .page, to: request, list: .default, ids: [1], message: message)
    }

    private func found(_ request: ByteBuffer) -> RecentAnswers.Answer? {
        guard case .answer(let answer) = answers.find(.page, request) else { return nil }
        return answer
    }

    private func bytes(of answer: RecentAnswers.Answer) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write(byteCount: answer.message.byteCount) { answer.message.write(to: &$0) }
        return bytes
    }

    @Test func anAnswerIsCheckedOnceForEachNumberOfChanges() {
        let answer = answer(to: ByteBuffer(string: "request"))
        var checks = 0
        func isCurrent(after changeCount: UInt64, isRight: Bool = true) -> Bool {
            answer.isCurrent(after: changeCount) {
                checks += 1
                return isRight
            }
        }
        #expect(isCurrent(after: 0) && isCurrent(after: 0) && checks == 1)
        #expect(isCurrent(after: 3) && isCurrent(after: 3) && checks == 2)
        #expect(!isCurrent(after: 4, isRight: false) && !isCurrent(after: 4, isRight: false) && checks == 4)
        #expect(isCurrent(after: 4) && checks == 5)
    }

    @Test func aRequestThatIsLookedUpTwiceIsRepeated() {
        let (first, second) = (ByteBuffer(string: "a request"), ByteBuffer(string: "another request"))
        guard case .unknown = answers.find(.page, first), case .unknown = answers.find(.page, second),
            case .repeated = answers.find(.page, first)
        else {
            Issue.record("a request is not counted")
            return
        }
        answers.keep(answer(to: first))
        #expect(found(first).map(bytes(of:)) == first)
        #expect(found(second) == nil)
    }

    /// The bytes decide, whatever their hashes are.
    @Test func everyRequestGetsItsOwnAnswerOrNone() {
        let requests = (0..<2_000).map { ByteBuffer(string: String(repeating: "x", count: $0 % 20) + "\($0)") }
        for request in requests { answers.keep(answer(to: request)) }
        var count = 0
        for request in requests {
            guard let answer = found(request) else { continue }
            #expect(bytes(of: answer) == request)
            count += 1
        }
        #expect(count > 100 && count <= 256)
    }

    @Test func aSliceIsFoundByItsBytes() throws {
        let whole = ByteBuffer(string: "before request after")
        let slice = try #require(whole.getSlice(at: 7, length: 7))
        answers.keep(answer(to: slice))
        #expect(found(ByteBuffer(string: "request")) != nil)
        #expect(found(ByteBuffer(string: "requesT")) == nil)
        #expect(found(ByteBuffer(string: "request\0")) == nil)
    }

    @Test func theSameBytesOfAnotherMethodAreAnotherRequest() {
        let request = ByteBuffer(bytes: [8, 1])
        answers.keep(answer(to: request))
        #expect(found(request) != nil)
        guard case .unknown = answers.find(.character, request) else {
            Issue.record("a page answers a request for a character")
            return
        }
    }

    @Test func aLongRequestIsNotCounted() {
        let request = ByteBuffer(repeating: 1, count: 257)
        for _ in 0..<3 {
            guard case .unknown = answers.find(.page, request) else {
                Issue.record("a long request is counted")
                return
            }
        }
    }
}
