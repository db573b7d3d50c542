package import MarvelDomain
internal import NIOCore
package import RPCCore

/// The JSON of an error (connectrpc.com/docs/protocol, "Error-End-Stream").
extension RPCError {
    /// Writes an object with `code`, `message` and `details`.
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
    fileprivate func write(to json: inout JSONWriter) {
        let (typeName, value) = typeNameAndValue
        json.object { json in
            json.field("type", typeName)
            json.field("value", Base64.encode(value.readableBytesView, isPadded: false))
            guard case .errorInfo(let info) = self else { return }
            // The same for people, who have only curl.
            json.object("debug") { json in
                json.field("reason", info.reason.rawValue)
                json.field("domain", info.domain)
                json.object("metadata") { json in
                    for (key, value) in info.metadata.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
                }
            }
        }
    }
}

extension StatusCode {
    /// The name in JSON: `not_found`.
    package var jsonName: String { self == .cancelled ? "canceled" : name.lowercased() }
}
