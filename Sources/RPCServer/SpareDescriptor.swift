internal import Glibc

/// A descriptor in reserve. When no other is left, one more connection can be accepted and closed, so that its peer
/// does not wait in the kernel's queue for ever.
struct SpareDescriptor: ~Copyable {
    private var descriptor: CInt?

    init() { descriptor = Self.open() }

    deinit {
        if let descriptor { close(descriptor) }
    }

    var isHeld: Bool { descriptor != nil }

    /// Releases the descriptor for the next accept.
    mutating func release() {
        if let descriptor { close(descriptor) }
        descriptor = nil
    }

    /// Opens the descriptor again if it was released.
    ///
    /// - Returns: Whether it is held now.
    mutating func restore() -> Bool {
        if descriptor == nil { descriptor = Self.open() }
        return isHeld
    }

    private static func open() -> CInt? {
        // A socket needs no file: in a bare root folder there is not even /dev/null.
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        return descriptor < 0 ? nil : descriptor
    }
}
