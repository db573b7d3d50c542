import Catalog
import NIOCore
import RPCCore
import SampleRequests
import Testing

@testable import MarvelService
@testable import WireMessages

@Suite struct MalformedRequestTests {
    private let service = EditStage().service

    /// A field that says it has more bytes than there are.
    private static let truncated = ByteBuffer(bytes: [0x0A, 0x7F, 0x61])

    @Test func aPayloadThatIsNotAMessageIsRefused() async {
        for (service, method) in methods {
            let error = await self.service.error(method.name, of: service, Self.truncated)
            #expect(error?.code == .invalidArgument, "\(method.name)")
            #expect(error?.reason == .requestMalformed)
        }
    }

    /// Text of a field by its number; protobuf calls it wire type 2.
    private static func text(_ bytes: [UInt8], field: UInt32) -> ByteBuffer {
        ByteBuffer(bytes: [UInt8(field) << 3 | 2, UInt8(bytes.count)] + bytes)
    }

    @Test func invalidTextIsRefusedWithItsField() async {
        var fieldCount = 0
        for (service, method) in methods {
            let path = MethodPath(service: service, method: method.name)
            guard let request = SampleRequests.all[path]?.plain else { continue }
            for field in JSONMessage.all[type(of: request).fullName]?.fields ?? [] {
                guard case .string = field.kind else { continue }
                fieldCount += 1
                for bytes: [UInt8] in [[0x61, 0x00, 0x62], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
                    let payload = Self.text(bytes, field: field.number)
                    let error = await self.service.error(method.name, of: service, payload)
                    #expect(error?.code == .invalidArgument, "\(method.name)")
                    #expect(error?.reason == .textInvalid)
                    #expect(error?.violatedField == field.name)
                }
            }
        }
        #expect(fieldCount >= 16)
    }

    /// All that do not need a conversation, with the names of their services.
    private var methods: [(service: String, RPCMethod)] {
        service.services.flatMap { service in
            service.methods.filter { !$0.takesFurtherRequests }.map { (service.name, $0) }
        }
    }
}
