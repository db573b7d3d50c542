/// Why a program could not begin: configuration, an address in use, a file it cannot have.
///
/// Told to the operator in one line, after which the program ends with status 1.
package struct StartupError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case configuration
        case addressInUse
        case addressNotAvailable
        /// A file that is needed cannot be had.
        case storage
    }

    package let code: Code
    /// What is wrong and what to do about it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
