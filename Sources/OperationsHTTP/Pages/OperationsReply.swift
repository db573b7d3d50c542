/// A reply of the operations port.
package struct OperationsReply: Sendable, Hashable {
    package enum ContentType: String, Sendable, Hashable {
        case text = "text/plain; charset=utf-8"
        case json = "application/json"
        case html = "text/html; charset=utf-8"
        case metrics = "text/plain; version=0.0.4; charset=utf-8"
    }

    package let status: Int
    package let type: ContentType
    package let body: String

    package init(_ status: Int = 200, _ type: ContentType = .text, _ body: String) {
        self.status = status
        self.type = type
        self.body = body
    }
}
