internal import Catalog

/// The catalog that a server serves, as set by its operator: `builtin`, `synthetic:N`, `http(s)://GATEWAY`, or a file.
package enum CatalogSource: Sendable, Hashable {
    case builtIn
    /// A catalog of `count` invented characters, 1 to 1,000,000.
    case synthetic(count: Int)
    case gateway(GatewayURL)
    /// A catalog file, by its path.
    case file(String)

    /// Reads a source as it is written on a command line.
    ///
    /// - Throws: `Refusal` with the rule that the text breaks.
    package init(_ text: String) throws(Refusal) {
        let lowercased = text.lowercased()
        if text == "builtin" {
            self = .builtIn
        } else if text.hasPrefix("synthetic:") {
            guard let count = Int(text.dropFirst("synthetic:".count)), SyntheticCharacters.counts.contains(count)
            else { throw .syntheticCount }
            self = .synthetic(count: count)
        } else if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") {
            do {
                self = .gateway(try GatewayURL(text))
            } catch {
                throw .gateway(error)
            }
        } else {
            // A URL with another scheme is a mistake and not the name of a file.
            guard !text.isEmpty, text != "synthetic", !text.contains("://") else { throw .unknown }
            self = .file(text)
        }
    }

    package enum Refusal: Error, Sendable, Hashable {
        case unknown
        case syntheticCount
        case gateway(GatewayURL.Refusal)
    }
}

extension CatalogSource: CustomStringConvertible {
    /// The source as it is written on a command line.
    package var description: String {
        switch self {
        case .builtIn: "builtin"
        case .synthetic(let count): "synthetic:\(count)"
        case .gateway(let url): "\(url)"
        case .file(let path): path
        }
    }
}

extension CatalogSource.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown: "a catalog is builtin, synthetic:N, a gateway's http:// or https:// URL, or a file"
        case .syntheticCount: "synthetic:N takes a number from 1 to \(SyntheticCharacters.counts.upperBound)"
        case .gateway(let refusal): "\(refusal)"
        }
    }
}
