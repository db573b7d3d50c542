import FakeChannel
import NIOCore
import RPCCore
import WireMessages

extension FakeChannel {
    /// - Parameter answers: The messages of the streams, in order, each of which a failure ends; or an answer for each
    ///   unary call.
    convenience init(_ answers: [Result<ByteBuffer, RPCError>]) {
        self.init { call in
            guard call.waitsForServer != nil else {
                return answers.isEmpty ? [] : [Answer(answers[min(call.number, answers.count) - 1])]
            }
            var rest = answers.map { Answer($0) }[...]
            for _ in 1..<call.number {
                let next = rest.drop { if case .failure = $0 { false } else { true } }
                if !next.isEmpty { rest = next.dropFirst() }
            }
            return Array(rest)
        }
    }

    convenience init(_ messages: any WireMessage...) {
        self.init(messages.map { .success($0.encoded()) })
    }

    /// The requests so far, decoded.
    func requests<Request: WireMessage>(_: Request.Type) throws -> [Request] {
        try calls.map { try Request(decoding: $0.request, limit: .request) }
    }
}

extension FakeChannel.Answer {
    fileprivate init(_ result: Result<ByteBuffer, RPCError>) {
        switch result {
        case .success(let bytes): self = .bytes(bytes)
        case .failure(let error): self = .failure(error)
        }
    }
}
