/// The methods of HTTP that a path allows.
package struct HTTPMethods: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let get = HTTPMethods(rawValue: 1)
    package static let head = HTTPMethods(rawValue: 2)
    package static let post = HTTPMethods(rawValue: 4)
    package static let options = HTTPMethods(rawValue: 8)
    /// Those of RFC 9110 that no path allows.
    private static let other = HTTPMethods(rawValue: 16)

    /// Nil for the name of an unknown method.
    package init?(_ name: String) {
        switch name {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "OPTIONS": self = .options
        case "PUT", "DELETE", "PATCH", "TRACE", "CONNECT": self = .other
        default: return nil
        }
    }

    /// The value of `Allow`.
    package var allow: String {
        let names: KeyValuePairs<HTTPMethods, String> = [
            .get: "GET", .head: "HEAD", .post: "POST", .options: "OPTIONS",
        ]
        return names.filter { contains($0.key) }.map(\.value).joined(separator: ", ")
    }
}

extension PlainAnswer {
    /// The answer to a method that a path does not allow (RFC 9110, sections 15.5.5, 15.5.6 and 15.6.2); nil if it does.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - allowed: The methods that the path allows; empty if there is no such path.
    ///   - notFound: The answer if there is no such path.
    /// - Returns: The answer, with status 404, 405 or 501.
    package static func refusal(of method: String, allowed: HTTPMethods, notFound: PlainAnswer) -> PlainAnswer? {
        guard let method = HTTPMethods(method) else { return .methodNotImplemented }
        guard !allowed.isEmpty else { return notFound }
        guard !allowed.isSuperset(of: method) else { return nil }
        return PlainAnswer(405, "method not allowed: use \(allowed.allow)\n", [("allow", allowed.allow)])
    }
}
