/// A folded prefix to search for, with the range of heads (`PackedTexts.head`) of the names that begin with it.
struct FoldedPrefix {
    let utf8: UnsafeBufferPointer<UInt8>
    /// The smallest head of such names: the prefix padded with zero bits.
    let firstHead: UInt64
    /// The largest head of such names: the prefix padded with one bits.
    let lastHead: UInt64

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        self.utf8 = utf8
        let head = PackedTexts.head(utf8)
        firstHead = head
        lastHead = utf8.count < PackedTexts.headByteCount ? head | UInt64.max >> UInt64(8 * utf8.count) : head
    }

    /// Whether every name with a head in the range begins with the prefix. This is so for short prefixes, as most
    /// searches have.
    var isDecidedByHead: Bool { utf8.count <= PackedTexts.headByteCount }
}
