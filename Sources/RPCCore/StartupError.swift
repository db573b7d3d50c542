/// The reason why a program could not start: configuration, an address in use, a file that it cannot open.
///
/// It is printed for the operator in one line, and the program ends.
public struct StartupError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        /// A setting, or a file that it names, cannot be used.
        case configuration
        case addressInUse
        case addressNotAvailable
        case storage
        case resources
    }

    public let code: Code
    /// One line for the operator.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// 78 (EX_CONFIG, see sysexits.h) if another start would fail in the same way, otherwise 1.
    package var exitStatus: Int32 { code == .configuration ? 78 : 1 }

    public var description: String { message }
}
