/// Why a run failed.
package struct RunError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
