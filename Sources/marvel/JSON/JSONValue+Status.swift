internal import MarvelClient

extension JSONValue {
    /// Makes a `google.rpc.Status` of a failed call, its details as protobuf's JSON writes an `Any`.
    init(_ error: RPCError) {
        self = [
            "code": .integer(Int64(error.code.rawValue)),
            "message": .string(error.message),
            "details": .array(error.details.map(JSONValue.init)),
        ]
    }

    private init(_ detail: ErrorDetail) {
        switch detail {
        case .errorInfo(let info):
            let metadata = info.metadata.sorted { $0.key < $1.key }
            self = [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": .string(info.reason.rawValue),
                "domain": .string(info.domain),
                "metadata": .object(metadata.map { (key: $0.key, value: .string($0.value)) }),
            ]
        case .badRequest(let violations):
            self = [
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": .array(
                    violations.map { ["field": .string($0.field), "description": .string($0.description)] }
                ),
            ]
        case .retryInfo(let delay):
            self = [
                "@type": "type.googleapis.com/google.rpc.RetryInfo",
                "retryDelay": .string(delay.protobufJSON),
            ]
        case .quotaFailure(let violations):
            self = [
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": .array(
                    violations.map { ["subject": .string($0.subject), "description": .string($0.description)] }
                ),
            ]
        case .other(let typeURL, let value):
            self = ["@type": .string(typeURL), "value": .string(value.base64)]
        }
    }
}

extension [UInt8] {
    /// The bytes in base64 with padding (RFC 4648, section 4), as protobuf's JSON writes bytes.
    var base64: String {
        let alphabet = [Character]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0...3 {
                text.append(position > group.count ? "=" : alphabet[bits >> (18 - 6 * position) & 63])
            }
        }
        return text
    }
}
