internal import Catalog

/// `builtin`, `synthetic:N`, `http(s)://GATEWAY`, or a file.
package enum CatalogSource: Sendable, Hashable {
    case builtIn
    case synthetic(count: Int)
    case gateway(GatewayURL)
    case file(String)

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
            // A URL with another scheme is a mistake, and not a file name.
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
        case .unknown: "a catalog must be builtin, synthetic:N, a gateway's http:// or https:// URL, or a file"
        case .syntheticCount: "N in synthetic:N must be 1 to \(SyntheticCharacters.counts.upperBound)"
        case .gateway(let refusal): "\(refusal)"
        }
    }
}
