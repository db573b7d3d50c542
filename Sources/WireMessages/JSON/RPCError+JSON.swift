package import MarvelDomain
internal import NIOCore
package import RPCCore

/// connectrpc.com/docs/protocol, "Error-End-Stream".
extension RPCError {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", code.jsonName)
            json.field("message", message)
            guard !details.isEmpty else { return }
            json.array("details", details) { json, detail in detail.write(to: &json) }
        }
    }
}

extension ErrorDetail {
    /// `debug` in JSON is for callers without protobuf.
    fileprivate func write(to json: inout JSONWriter) {
        let (typeName, value) = typeNameAndValue
        json.object { json in
            json.field("type", typeName)
            json.field("value", Base64.encode(value.readableBytesView, isPadded: false))
            switch self {
            case .errorInfo(let info):
                json.object("debug") { json in
                    json.field("reason", info.reason.rawValue)
                    json.field("domain", info.domain)
                    json.object("metadata") { json in
                        for (key, value) in info.metadata.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
                    }
                }
            case .badRequest(let violations):
                json.object("debug") { json in
                    json.array("fieldViolations", violations) { json, violation in
                        json.object { json in
                            json.field("field", violation.field)
                            json.field("description", violation.description)
                        }
                    }
                }
            case .retryInfo(let delay): json.object("debug") { json in json.field("retryDelay", delay.protobufJSON) }
            case .quotaFailure, .other: break
            }
        }
    }
}

extension StatusCode {
    /// `not_found`.
    package var jsonName: String { self == .cancelled ? "canceled" : name.lowercased() }
}
