import FakeChannel
import RPCCore
import WireMessages

typealias FakeServer = FakeChannel

extension FakeChannel {
    /// - Parameter answers: For each method's short name, its messages in order; for watches of the whole list, those of
    ///   `WatchFavorites:0`, if there are any.
    convenience init(_ answers: [String: [Answer]] = [:]) {
        self.init { call in
            let method = call.method.method
            if method == "WatchFavorites", let all = answers["WatchFavorites:0"],
                let watch = try? WatchFavoritesRequest(decoding: call.request, limit: .request),
                watch.fromRevision == 0
            {
                return all
            }
            return answers[method] ?? []
        }
    }

    /// The request of the first call to a method.
    func request<Request: WireMessage>(_: Request.Type, of method: String) throws -> Request? {
        let call = calls.first { $0.method.method == method }
        return try call.map { try Request(decoding: $0.request, limit: .request) }
    }
}
