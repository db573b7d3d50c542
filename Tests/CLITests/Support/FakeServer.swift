import FakeChannel
import RPCCore
import WireMessages

typealias FakeServer = FakeChannel

extension FakeChannel {
    /// - Parameter answers: For each method's short name, its messages in order; for searches in another way,
    ///   those of `SearchCharacters:fuzzy`, and for watches of the whole list, those of
    ///   `WatchFavorites:0`, if there are any.
    convenience init(_ answers: [String: [Answer]] = [:]) {
        self.init { call in
            let method = call.method.method
            let special: [Answer]?
            switch method {
            case "SearchCharacters":
                let search = try? SearchCharactersRequest(decoding: call.request, limit: .request)
                special = search?.match.match.flatMap { answers["SearchCharacters:\($0)"] }
            case "WatchFavorites":
                let watch = try? WatchFavoritesRequest(decoding: call.request, limit: .request)
                special = watch?.fromRevision == 0 ? answers["WatchFavorites:0"] : nil
            default: special = nil
            }
            return special ?? answers[method] ?? []
        }
    }

    /// The request of the first call to a method.
    func request<Request: WireMessage>(_: Request.Type, of method: String) throws -> Request? {
        let call = calls.first { $0.method.method == method }
        return try call.map { try Request(decoding: $0.request, limit: .request) }
    }
}
