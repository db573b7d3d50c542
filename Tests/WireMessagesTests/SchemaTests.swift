import CMarvelMessages
import Testing

@testable import WireMessages

/// The rules of the schemas themselves, because libprotobuf-c sets no limits of its own.
struct SchemaTests {
    /// The first way from a message back to itself, as the names passed.
    private func cycle(in descriptor: ProtobufCMessageDescriptor, above: [String] = []) -> [String]? {
        let schema = Schema(descriptor)
        let path = above + [schema.name]
        guard !above.contains(schema.name) else { return path }
        for case let inner? in schema.fields.map(\.message) {
            if let found = cycle(in: inner.pointee, above: path) { return found }
        }
        return nil
    }

    @Test(arguments: MessageKind.all)
    func noMessageContainsItself(kind: MessageKind) throws {
        let descriptor = try #require(kind.descriptor()?.pointee)
        #expect(cycle(in: descriptor) == nil)
    }

    /// A C string ends at its first NUL: no field may be one.
    @Test(arguments: MessageKind.all)
    func noFieldIsACString(kind: MessageKind) throws {
        let schema = try #require(kind.schema)
        #expect(schema.paths.allSatisfy { !$0.field.isCString })
    }
}
