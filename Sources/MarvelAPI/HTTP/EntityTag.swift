/// Rules for the validator of a response, which is opaque and sent back as received.
package enum EntityTag {
    /// Whether a request can carry the tag: 1 to 256 characters of printable ASCII without spaces.
    package static func isSendable(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
