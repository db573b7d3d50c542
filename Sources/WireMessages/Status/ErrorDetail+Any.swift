internal import CMarvelMessages
internal import NIOCore
internal import RPCCore

extension ErrorDetail {
    var typeNameAndValue: (typeName: String, value: ByteBuffer) {
        switch self {
        case .errorInfo(let info): (Kind.errorInfo.rawValue, packed(info))
        case .badRequest(let violations): (Kind.badRequest.rawValue, packed(BadRequest(fieldViolations: violations)))
        case .retryInfo(let delay): (Kind.retryInfo.rawValue, packed(RetryInfo(retryDelay: delay)))
        case .quotaFailure(let violations): (Kind.quotaFailure.rawValue, packed(QuotaFailure(violations: violations)))
        case .other(let typeURL, let value):
            (
                String(typeURL[(typeURL.lastIndex(of: "/").map(typeURL.index(after:)) ?? typeURL.startIndex)...]),
                ByteBuffer(bytes: value)
            )
        }
    }

    private func packed(_ message: some ProtobufCoded) -> ByteBuffer {
        var buffer = ByteBuffer()
        message.pack(into: &buffer)
        return buffer
    }
}
