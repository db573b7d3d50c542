internal import NIOCore
internal import RPCCore
internal import WireMessages

/// gRPC's reflection service. `v1alpha` has the same messages and answers. It is not listed: its users know it.
enum ServerReflection {
    static let serviceName = ServerReflectionMethods.serviceName
    private static let olderServiceName = "grpc.reflection.v1alpha.ServerReflection"

    /// `names` are those of the other services.
    static func services(listing names: [String]) -> [RPCService] {
        let talk = ReflectionTalk(services: (names + [serviceName]).sorted())
        let descriptor = ServerReflectionMethods.serverReflectionInfo
        return [serviceName, olderServiceName].map { name in
            RPCService(
                name: name,
                methods: [
                    RPCMethod(
                        name: descriptor.path.method,
                        kind: descriptor.kind,
                        permissions: .catalogRead
                    ) { _ in .conversation(talk) }
                ]
            )
        }
    }
}

/// It has no state of a call, so all calls share one.
private final class ReflectionTalk: Conversation {
    private let services: [String]

    init(services: [String]) { self.services = services }

    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage {
        let request: ServerReflectionRequest
        do throws(WireError) {
            request = try ServerReflectionRequest(decoding: payload, limit: .request)
        } catch {
            throw RPCError(undecodable: error)
        }
        let response = ServerReflectionResponse(
            validHost: request.host,
            originalRequest: request,
            response(to: request.messageRequest)
        )
        return EncodedMessage(response.encoded())
    }

    private func response(
        to question: ServerReflectionRequest.MessageRequest?
    ) -> ServerReflectionResponse.MessageResponse {
        switch question {
        case .fileByFilename(let name): files(from: DescribedFiles.byName[name], "file \(name)")
        case .fileContainingSymbol(let name): files(from: DescribedFiles.bySymbol[name], "symbol \(name)")
        case .listServices:
            .listServicesResponse(ListServiceResponse(service: services.map { ServiceResponse(name: $0) }))
        case .fileContainingExtension(let wanted):
            notFound("extension \(wanted.extensionNumber) of \(wanted.containingType)")
        case .allExtensionNumbersOfType(let name): notFound("extension of \(name)")
        case nil:
            .errorResponse(
                ErrorResponse(
                    errorCode: StatusCode.unimplemented.rawValue,
                    errorMessage: "the request is empty"
                )
            )
        }
    }

    private func files(from file: Int?, _ what: String) -> ServerReflectionResponse.MessageResponse {
        guard let file else { return notFound(what) }
        return .fileDescriptorResponse(FileDescriptorResponse(fileDescriptorProto: DescribedFiles.withImports(file)))
    }

    private func notFound(_ what: String) -> ServerReflectionResponse.MessageResponse {
        .errorResponse(ErrorResponse(errorCode: StatusCode.notFound.rawValue, errorMessage: "unknown \(what)"))
    }
}

private enum DescribedFiles {
    static let byName = Dictionary(
        ProtoFiles.all.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    static let bySymbol = Dictionary(
        ProtoFiles.all.enumerated().flatMap { position, file in file.symbols.map { ($0, position) } },
        uniquingKeysWith: { first, _ in first }
    )

    private static let descriptors = ProtoFiles.all.map { ByteBuffer(bytes: $0.descriptor) }

    /// The file itself is first.
    static func withImports(_ file: Int) -> [ByteBuffer] {
        var found = [file]
        var next = 0
        while next < found.count {
            for name in ProtoFiles.all[found[next]].imports {
                if let position = byName[name], !found.contains(position) { found.append(position) }
            }
            next += 1
        }
        return found.map { descriptors[$0] }
    }
}
