internal import MarvelDomain
internal import NIOCore
internal import NIOHTTP1

/// The parser of requests. It ignores that a client would rather speak another protocol (RFC 9110, section 7.8).
///
/// NIO's parser stops at the end of a request with `Upgrade`: what follows might be of the other protocol, and would be kept
/// without a limit. Here it is in HTTP/1.1, and a new parser reads it. After CONNECT nothing is read.
final class HTTP1RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The maximum number of bytes that wait for the rest of a header. One that is longer is refused before.
    static let maximumByteCount = 2 * HTTPLimits.headerListByteCount

    private var parser = HTTP1RequestDecoder.makeParser()
    /// Whether the parser stops at the end of the request that it reads.
    private var stopsAtEnd = false
    private var hasStopped = false
    /// Whether the parser has passed on a part of the bytes that it is given now.
    private var hasPassed = false

    private static func makeParser() -> HTTPRequestDecoder {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = HTTPLimits.headerListByteCount
        limits.maxHeaderFieldSize = HTTPLimits.headerListByteCount
        return HTTPRequestDecoder(limitConfiguration: limits)
    }

    func passed(_ part: HTTPServerRequestPart) {
        hasPassed = true
        switch part {
        case .head(let head): stopsAtEnd = head.stopsParser
        case .body: break
        case .end: hasStopped = stopsAtEnd
        }
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        hasPassed = false
        do {
            _ = try parser.decode(context: context, buffer: &buffer)
        } catch HTTPParserError.invalidMethod where !hasPassed && buffer.beginsWithMethod {
            throw UnknownMethod()
        } catch HTTPParserError.invalidVersion where !hasPassed && buffer.endsRequestLineWithoutCR {
            // The parser takes the end of the line for a part of the version.
            throw HTTPParserError.unknown
        }
        guard hasStopped else { return .needMoreData }
        hasStopped = false
        parser.decoderRemoved(context: context)
        parser = Self.makeParser()
        parser.decoderAdded(context: context)
        return buffer.readableBytes > 0 ? .continue : .needMoreData
    }

    func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        while buffer.readableBytes > 0, case .continue = try decode(context: context, buffer: &buffer) {}
        return try parser.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    func decoderAdded(context: ChannelHandlerContext) { parser.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { parser.decoderRemoved(context: context) }
}

struct UnknownMethod: Error {}

extension ByteBuffer {
    /// Whether the first line ends with a bare LF (RFC 9112, section 2.2).
    fileprivate var endsRequestLineWithoutCR: Bool {
        let line = readableBytesView.drop { $0 == 0x0D || $0 == 0x0A }.prefix { $0 != 0x0A }
        return line.endIndex < readableBytesView.endIndex && line.last != 0x0D
    }

    /// Whether the bytes are the beginning of a request line with a method (RFC 9110, section 9.1), as far as they have
    /// arrived.
    fileprivate var beginsWithMethod: Bool {
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
        let line = readableBytesView.drop { $0 == 0x0D || $0 == 0x0A }
        let method = line.prefix { $0 != 0x20 }
        return !method.isEmpty && method.allSatisfy { $0.isDigit || $0.isLetter || "-_".utf8.contains($0) }
    }
}

extension HTTPRequestHead {
    /// Whether NIO's parser stops at the request's end, and a new one continues. The rule is that of the parser, which knows
    /// no other white space.
    fileprivate var stopsParser: Bool {
        guard method != .CONNECT, headers.contains(name: "upgrade") else { return false }
        return headers["connection"].contains { value in
            value.split(separator: ",").contains { name in
                name.drop { $0 == " " }.lowercased().prefix { $0 != " " }.utf8.elementsEqual("upgrade".utf8)
            }
        }
    }
}
