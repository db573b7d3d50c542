internal import CMarvelMessages
internal import NIOCore
internal import RPCCore

extension ErrorDetail {
    var typeNameAndValue: (typeName: String, value: ByteBuffer) {
        switch self {
        case .errorInfo(let info): (Kind.errorInfo.rawValue, info.packed())
        case .badRequest(let violations): (Kind.badRequest.rawValue, BadRequest(fieldViolations: violations).packed())
        case .retryInfo(let delay): (Kind.retryInfo.rawValue, RetryInfo(retryDelay: delay).packed())
        case .quotaFailure(let violations): (Kind.quotaFailure.rawValue, QuotaFailure(violations: violations).packed())
        case .other(let typeURL, let value):
            (
                String(typeURL[(typeURL.lastIndex(of: "/").map(typeURL.index(after:)) ?? typeURL.startIndex)...]),
                ByteBuffer(bytes: value)
            )
        }
    }
}
