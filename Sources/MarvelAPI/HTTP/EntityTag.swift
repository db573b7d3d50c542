/// The validator of an answer, opaque and sent back as it came (MARVEL_API section 7).
package enum EntityTag {
    /// Whether a request can carry it: it is neither very long nor made of anything but printable ASCII.
    package static func isSendable(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
