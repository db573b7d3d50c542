internal import MarvelClient
internal import MarvelDomain

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
            self = ["@type": .string(typeURL), "value": .string(Base64.encode(value))]
        }
    }
}
