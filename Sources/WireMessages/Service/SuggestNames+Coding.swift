internal import CMarvelMessages
internal import NIOCore

extension SuggestNamesRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.SuggestNamesRequest"

    static var initialize: CInitializer<Marvel__V1__SuggestNamesRequest> { marvel__v1__suggest_names_request__init }

    init(copying message: Marvel__V1__SuggestNamesRequest) throws(WireError) {
        self.init(query: try message.query.text("query"), limit: message.limit)
    }

    func fill(_ message: inout Marvel__V1__SuggestNamesRequest, in arena: inout EncodingArena) {
        message.query = arena.text(query)
        message.limit = limit
    }
}

extension SuggestNamesResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.SuggestNamesResponse"

    static var initialize: CInitializer<Marvel__V1__SuggestNamesResponse> { marvel__v1__suggest_names_response__init }

    init(copying message: Marvel__V1__SuggestNamesResponse) throws(WireError) {
        self.init(
            names: try [String](copying: message.names, count: message.n_names, field: "names"),
            attribution: try message.attribution.text("attribution"),
            matches: UnsafeBufferPointer(start: message.matches, count: message.n_matches).map(MatchValue.init)
        )
    }

    func fill(_ message: inout Marvel__V1__SuggestNamesResponse, in arena: inout EncodingArena) {
        message.n_names = names.count
        message.names = arena.texts(names)
        message.attribution = arena.text(attribution)
        message.n_matches = matches.count
        message.matches = arena.numbers(matches.map(\.wireForm))
    }
}
