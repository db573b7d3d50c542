/// The beginning of folded names that a search looks for, with what is known of their heads (`PackedTexts.head`).
struct FoldedPrefix {
    let utf8: UnsafeBufferPointer<UInt8>
    /// Every name that begins with the prefix has a head from the prefix filled up with zeros to the prefix filled up
    /// with ones.
    let firstHead: UInt64
    let lastHead: UInt64

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        self.utf8 = utf8
        let head = PackedTexts.head(utf8)
        firstHead = head
        lastHead = utf8.count < PackedTexts.headByteCount ? head | UInt64.max >> UInt64(8 * utf8.count) : head
    }

    /// Whether every name with such a head begins with the prefix: it is short, as most that people type are.
    var isDecidedByHead: Bool { utf8.count <= PackedTexts.headByteCount }
}
