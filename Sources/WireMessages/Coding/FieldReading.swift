internal import CMarvelMessages
internal import NIOCore

extension ProtobufCBinaryData {
    /// - Throws: `.invalidText` with the field if the text is invalid UTF-8 or contains NUL.
    func text(_ field: String) throws(WireError) -> String {
        guard len > 0 else { return "" }
        let bytes = UnsafeBufferPointer(start: data, count: len)
        // Nearly every text is ASCII, which needs no validation.
        if bytes.allSatisfy({ (0x01...0x7F).contains($0) }) {
            return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        }
        // String(validating:as:) is generic and many times slower.
        guard !bytes.contains(0), let text = try? UTF8Span(validating: bytes.span) else {
            throw .invalidText(field: field)
        }
        return String(copying: text)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: data, count: len) }

    var buffer: ByteBuffer { len == 0 ? ByteBuffer() : ByteBuffer(bytes: bytes) }
}

extension ProtobufCoded {
    /// Nil if the field is not set.
    init?(copying message: UnsafeMutablePointer<CStruct>?, field: String) throws(WireError) {
        guard let message else { return nil }
        do throws(WireError) {
            try self.init(copying: message.pointee)
        } catch {
            throw error.inside(field)
        }
    }
}

extension Array where Element: ProtobufCoded {
    init(
        copying messages: UnsafeMutablePointer<UnsafeMutablePointer<Element.CStruct>?>?,
        count: Int,
        field: String
    ) throws(WireError) {
        self = []
        reserveCapacity(count)
        for (index, message) in UnsafeBufferPointer(start: messages, count: count).enumerated() {
            guard let message else { continue }
            do throws(WireError) {
                append(try Element(copying: message.pointee))
            } catch {
                throw error.inside("\(field)[\(index)]")
            }
        }
    }
}

extension [String] {
    init(copying texts: UnsafeMutablePointer<ProtobufCBinaryData>?, count: Int, field: String) throws(WireError) {
        self = []
        reserveCapacity(count)
        for (index, text) in UnsafeBufferPointer(start: texts, count: count).enumerated() {
            guard let text = try? text.text(field) else { throw .invalidText(field: "\(field)[\(index)]") }
            append(text)
        }
    }
}

extension [ByteBuffer] {
    init(copying elements: UnsafeMutablePointer<ProtobufCBinaryData>?, count: Int, field: String) throws(WireError) {
        self = UnsafeBufferPointer(start: elements, count: count).map(\.buffer)
    }
}
