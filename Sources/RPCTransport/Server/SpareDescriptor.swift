internal import Glibc

/// A descriptor kept back, so that when none is left one more connection can be accepted: to tell its peer, by closing
/// it, what would otherwise wait in the kernel's queue for a server that never comes.
struct SpareDescriptor: ~Copyable {
    private var descriptor: CInt?

    init() { descriptor = Self.open() }

    deinit {
        if let descriptor { close(descriptor) }
    }

    var isHeld: Bool { descriptor != nil }

    /// Gives it up for the next who needs one.
    mutating func release() {
        if let descriptor { close(descriptor) }
        descriptor = nil
    }

    /// - Returns: Whether it is there, again or still.
    mutating func restore() -> Bool {
        if descriptor == nil { descriptor = Self.open() }
        return isHeld
    }

    private static func open() -> CInt? {
        let descriptor = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }
}
