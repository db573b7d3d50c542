import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import MarvelService

extension CharacterService {
    /// Calls a method as a transport does, and takes at most `limit` messages.
    func call(
        _ method: String,
        of service: String = CharacterService.name,
        _ payload: ByteBuffer,
        as principal: Principal = .local,
        limit: Int = .max
    ) async throws -> [ByteBuffer] {
        let found = services.first { $0.name == service }?.methods.first { $0.name == method }
        let method = try #require(found)
        return try await messages(of: method.start(IncomingCall(payload: payload, principal: principal)), limit: limit)
    }

    func call<Response: WireMessage>(
        _ method: String,
        of service: String = CharacterService.name,
        _ request: some WireMessage
    ) async throws -> Response {
        let messages = try await call(method, of: service, request.encoded())
        try #require(messages.count == 1)
        return try Response(decoding: messages[0], limit: .response)
    }

    func search(_ request: SearchCharactersRequest, limit: Int = .max) async throws -> [SearchCharactersResponse] {
        try await call("SearchCharacters", request.encoded(), limit: limit).map {
            try SearchCharactersResponse(decoding: $0, limit: .response)
        }
    }

    /// Toggles a character, or saves it.
    @discardableResult
    func toggle(
        _ id: Int64,
        on list: String = "",
        _ desired: DesiredValue = .toggle
    ) async throws -> ToggleFavoriteResponse {
        try await call("ToggleFavorite", ToggleFavoriteRequest(list: list, characterID: id, desired: desired))
    }

    func favorites(of list: String = "", atLeast place: String = "") async throws -> ListFavoritesResponse {
        try await call("ListFavorites", ListFavoritesRequest(list: list, atLeast: place))
    }

    /// The error that a call ends with; a call that succeeds is a failure of the test.
    func error(_ method: String, of service: String = CharacterService.name, _ payload: ByteBuffer) async -> RPCError? {
        do {
            let messages = try await call(method, of: service, payload)
            Issue.record("\(method) answered \(messages.count) messages")
            return nil
        } catch let error as RPCError {
            return error
        } catch {
            Issue.record("\(method) failed with \(error)")
            return nil
        }
    }

    private func messages(of first: Step, limit: Int) async throws -> [ByteBuffer] {
        var messages: [ByteBuffer] = []
        var step = first
        while true {
            switch step {
            case .end:
                return messages
            case .later(let work):
                step = try await work()
            case .pending(let pending):
                await withCheckedContinuation { continuation in
                    _ = pending.begin { continuation.resume() }
                }
                step = try pending.step()
            case .source(let source):
                step = try source.next()
            case .conversation:
                throw RPCError(.internalError, "no method of the service is a conversation")
            case .message(let message, let rest):
                let bytes = message.encoded
                #expect(bytes.readableBytes == message.byteCount)
                messages.append(bytes)
                guard let rest, messages.count < limit else { return messages }
                step = try rest.next()
            }
        }
    }
}

extension Step {
    /// The message that is ready, and what comes after it.
    func ready() throws -> (message: any OutgoingMessage, rest: (any MessageSource)?) {
        guard case .message(let message, let rest) = self else { throw RPCError(.internalError, "no message is ready") }
        return (message, rest)
    }

    /// The message that is ready.
    func answer<Response: WireMessage>(_: Response.Type) throws -> Response {
        try Response(decoding: ready().message.encoded, limit: .response)
    }

    /// The source that the method gives.
    func source() throws -> any MessageSource {
        guard case .source(let source) = self else { throw RPCError(.internalError, "no source: \(self)") }
        return source
    }
}

extension OutgoingMessage {
    var encoded: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write(byteCount: byteCount) { write(to: &$0) }
        return bytes
    }
}

extension RPCError {
    /// All fields that the error's `BadRequest` names.
    var violatedFields: [String] {
        for case .badRequest(let violations) in details { return violations.map(\.field) }
        return []
    }

    /// The first of them.
    var violatedField: String? { violatedFields.first }
}
