/// The reason that a program could not start: configuration, an address in use, a file that it cannot open.
///
/// It is printed for the operator in one line, and the program ends.
package struct StartupError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case configuration
        case addressInUse
        case addressNotAvailable
        /// A file that is needed cannot be opened or created.
        case storage
        /// The system does not give what is needed, such as a thread.
        case resources
    }

    package let code: Code
    /// The text for the operator: what is wrong and what to do about it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The exit status: 78 (EX_CONFIG, see sysexits.h) if another start would fail in the same way, and 1 if it may not.
    package var exitStatus: Int32 { code == .configuration ? 78 : 1 }

    package var description: String { message }
}
