internal import MarvelDomain

/// A file for reflection.
package struct ProtoFile: Sendable {
    /// `marvel/v1/marvel.proto`.
    package let name: String
    package let imports: [String]
    /// Messages, enums, services and methods.
    package let symbols: [String]
    /// In base64url without padding.
    private let base64: String

    init(name: String, imports: [String], symbols: [String], base64: String) {
        self.name = name
        self.imports = imports
        self.symbols = symbols
        self.base64 = base64
    }

    /// `google.protobuf.FileDescriptorProto`, without comments.
    package var descriptor: [UInt8] {
        guard let bytes = Base64.decode(base64) else {
            preconditionFailure("the generated descriptor of \(name) is not valid base64")
        }
        return bytes
    }
}
