internal import MarvelDomain
internal import NIOCore
internal import NIOHPACK
internal import RPCCore
internal import WireMessages

/// The status of a gRPC call, as the headers of its answer have it (grpc/doc/PROTOCOL-HTTP2.md, "Responses").
enum GRPCResponseStatus {
    /// Reads the status of a call from its trailers. Nil if they have none.
    static func read(_ trailers: HPACKHeaders) -> Result<Void, RPCError>? {
        guard let text = trailers.first(name: "grpc-status") else { return nil }
        let code = Int32(text).flatMap(StatusCode.init(rawValue:)) ?? .unknown
        guard code != .ok else { return .success(()) }
        let message = GRPCStatusMessage.decoded(trailers.first(name: "grpc-message") ?? "")
        return .failure(RPCError(code, message, details: details(in: trailers, of: code), origin: .peer))
    }

    /// Returns the details of an error. Those of another code than the call's belong to an error that was translated on the
    /// way.
    private static func details(in trailers: HPACKHeaders, of code: StatusCode) -> [ErrorDetail] {
        guard let text = trailers.first(name: "grpc-status-details-bin"), let data = Base64.decode(text),
            let error = try? RPCError(decodingStatus: ByteBuffer(bytes: data), limit: .response), error.code == code
        else {
            return []
        }
        return error.details
    }

    /// Returns the error of a call whose answer is not one of gRPC: a proxy, or another server, answered it
    /// (grpc/doc/http-grpc-status-mapping.md). Nil if the head is one of gRPC.
    static func error(ofHead head: HPACKHeaders) -> RPCError? {
        let status = head.first(name: ":status") ?? ""
        let code: StatusCode
        switch status {
        case "200":
            let type = head.first(name: "content-type") ?? ""
            guard !type.hasPrefix("application/grpc") else { return nil }
            return .answerNotGRPC(.unknown, "the answer's content type is '\(type)', not that of gRPC")
        case "400": code = .internalError
        case "401": code = .unauthenticated
        case "403": code = .permissionDenied
        case "404": code = .unimplemented
        case "429", "502", "503", "504": code = .unavailable
        default: code = .unknown
        }
        return .answerNotGRPC(code, "the answer is not one of gRPC: it has the HTTP status \(status)")
    }
}

extension RPCError {
    /// Returns the error of a call whose stream the server has reset, by the error code of HTTP/2
    /// (grpc/doc/PROTOCOL-HTTP2.md, "HTTP2 Transport Mapping").
    static func reset(_ code: Int) -> RPCError {
        let status: StatusCode =
            switch code {
            case 8: .cancelled
            case 11: .resourceExhausted
            case 12: .permissionDenied
            default: .internalError
            }
        let text = "the server ended the call with the HTTP/2 error code \(code)"
        return RPCError(status, reason: .callReset, text, metadata: ["http2_error_code": "\(code)"], origin: .peer)
    }

    fileprivate static func answerNotGRPC(_ code: StatusCode, _ message: String) -> RPCError {
        RPCError(code, reason: .answerNotGRPC, message, origin: .peer)
    }

    /// Returns the error of a call whose answer is not what its method answers.
    static func responseInvalid(_ message: String) -> RPCError {
        RPCError(.internalError, reason: .responseInvalid, message)
    }
}
