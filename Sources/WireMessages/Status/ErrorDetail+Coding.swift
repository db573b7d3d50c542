internal import CMarvelMessages
internal import RPCCore

extension ErrorDetail: ProtobufCoded {
    /// The type name at the end of the URL.
    enum Kind: String {
        case errorInfo = "google.rpc.ErrorInfo"
        case badRequest = "google.rpc.BadRequest"
        case retryInfo = "google.rpc.RetryInfo"
        case quotaFailure = "google.rpc.QuotaFailure"

        init?(typeURL: String) {
            guard let slash = typeURL.lastIndex(of: "/") else { return nil }
            self.init(rawValue: String(typeURL[typeURL.index(after: slash)...]))
        }
    }

    static var initialize: CInitializer<Google__Protobuf__Any> { google__protobuf__any__init }

    init(copying message: Google__Protobuf__Any) throws(WireError) {
        let typeURL = try message.type_url.text("type_url")
        if let kind = Kind(typeURL: typeURL), let known = try? ErrorDetail(kind, decoding: message.value.bytes) {
            self = known
        } else {
            self = .other(typeURL: typeURL, value: [UInt8](message.value.bytes))
        }
    }

    private init(_ kind: Kind, decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        let name = kind.rawValue
        switch kind {
        case .errorInfo:
            self = .errorInfo(try ErrorInfo(unpacking: bytes, name: name, limit: .request))
        case .badRequest:
            self = .badRequest(try BadRequest(unpacking: bytes, name: name, limit: .request).fieldViolations)
        case .retryInfo:
            self = .retryInfo(try RetryInfo(unpacking: bytes, name: name, limit: .request).retryDelay ?? .zero)
        case .quotaFailure:
            self = .quotaFailure(try QuotaFailure(unpacking: bytes, name: name, limit: .request).violations)
        }
    }

    func fill(_ message: inout Google__Protobuf__Any, in arena: inout EncodingArena) {
        switch self {
        case .errorInfo, .badRequest, .retryInfo, .quotaFailure:
            let (typeName, value) = typeNameAndValue
            message.type_url = arena.text("type.googleapis.com/\(typeName)")
            message.value = arena.buffer(value)
        case .other(let typeURL, let value):
            message.type_url = arena.text(typeURL)
            message.value = value.withUnsafeBytes { arena.bytes($0) }
        }
    }
}
