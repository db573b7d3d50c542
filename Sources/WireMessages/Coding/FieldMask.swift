internal import CMarvelMessages

package struct FieldMask: Sendable, Hashable, ExpressibleByArrayLiteral {
    package let paths: [String]

    package init(_ paths: [String]) { self.paths = paths }

    package init(arrayLiteral paths: String...) { self.paths = paths }
}

extension FieldMask: ProtobufCoded {
    static var initialize: CInitializer<Google__Protobuf__FieldMask> { google__protobuf__field_mask__init }

    init(copying message: Google__Protobuf__FieldMask) throws(WireError) {
        paths = try [String](copying: message.paths, count: message.n_paths, field: "paths")
    }

    func fill(_ message: inout Google__Protobuf__FieldMask, in arena: inout EncodingArena) {
        message.n_paths = paths.count
        message.paths = arena.texts(paths)
    }
}
