@testable import Catalog

/// A PNG file taken apart, its chunks checked: the tests' own reading of RFC 2083.
struct PNGFile {
    struct Chunk {
        let type: String
        let data: [UInt8]
    }

    enum Invalid: Error {
        case signature, truncated, checksum(type: String)
    }

    let chunks: [Chunk]

    var width: Int { Self.number(self.chunks[0].data[0..<4]) }
    var height: Int { Self.number(self.chunks[0].data[4..<8]) }

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]) else { throw Invalid.signature }
        var rest = bytes.dropFirst(8)
        var chunks: [Chunk] = []
        while !rest.isEmpty {
            guard rest.count >= 12 else { throw Invalid.truncated }
            let length = Self.number(rest.prefix(4))
            guard rest.count >= length + 12 else { throw Invalid.truncated }
            let body = rest.dropFirst(4).prefix(length + 4)
            let type = String(decoding: body.prefix(4), as: UTF8.self)
            let checksum = Self.number(rest.dropFirst(length + 8).prefix(4))
            guard checksum == Int(Checksum.crc32(body)) else { throw Invalid.checksum(type: type) }
            chunks.append(Chunk(type: type, data: Array(body.dropFirst(4))))
            rest = rest.dropFirst(length + 12)
        }
        guard chunks.first?.type == "IHDR", chunks.first?.data.count == 13 else { throw Invalid.truncated }
        self.chunks = chunks
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Reads a zlib stream of one block with fixed codes, written from the tables of RFC 1951 and not from the compressor.
struct Inflater {
    enum Invalid: Error {
        case header, truncated, blockType(Int), code(Int), distance(Int), checksum
    }

    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12_289, 16_385, 24_577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    private let input: [UInt8]
    private var position = 16
    private var output: [UInt8] = []

    static func inflate(_ stream: [UInt8]) throws -> [UInt8] {
        guard stream.count >= 8, stream[0] == 0x78, (Int(stream[0]) << 8 | Int(stream[1])).isMultiple(of: 31) else {
            throw Invalid.header
        }
        var inflater = Inflater(input: stream)
        try inflater.readBlock()
        let end = (inflater.position + 7) / 8
        guard Array(stream[end...]) == Checksum.adler32(inflater.output).bigEndianBytes else { throw Invalid.checksum }
        return inflater.output
    }

    private init(input: [UInt8]) {
        self.input = input
    }

    private mutating func readBlock() throws {
        let header = try self.bits(3)
        guard header == 0b011 else { throw Invalid.blockType(header) }
        while true {
            let symbol = try self.symbol()
            switch symbol {
            case ..<256: self.output.append(UInt8(symbol))
            case 256: return
            case ..<286: try self.copy(lengthCode: symbol - 257)
            default: throw Invalid.code(symbol)
            }
        }
    }

    private mutating func copy(lengthCode: Int) throws {
        let length = Self.lengths[lengthCode] + (try self.bits(Self.lengthBits[lengthCode]))
        let code = try self.code(5)
        guard code < Self.distances.count else { throw Invalid.code(code) }
        let distance = Self.distances[code] + (try self.bits(Self.distanceBits[code]))
        guard distance <= self.output.count else { throw Invalid.distance(distance) }
        for _ in 0..<length { self.output.append(self.output[self.output.count - distance]) }
    }

    private mutating func symbol() throws -> Int {
        var code = try self.code(7)
        if code < 0b001_1000 { return 256 + code }
        code = code << 1 | (try self.bits(1))
        switch code {
        case ..<0b1100_0000: return code - 0b0011_0000
        case ..<0b1100_1000: return 280 + code - 0b1100_0000
        default: return 144 + (code << 1 | (try self.bits(1))) - 0b1_1001_0000
        }
    }

    private mutating func code(_ count: Int) throws -> Int {
        var code = 0
        for _ in 0..<count { code = code << 1 | (try self.bits(1)) }
        return code
    }

    private mutating func bits(_ count: Int) throws -> Int {
        guard self.position + count <= self.input.count * 8 else { throw Invalid.truncated }
        var value = 0
        for place in 0..<count {
            value |= Int(self.input[self.position / 8] >> UInt8(self.position % 8) & 1) << place
            self.position += 1
        }
        return value
    }
}
