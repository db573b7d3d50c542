internal import NIOCore

/// How many event loops the process has: one for each core that it may use.
package enum EventLoops {
    /// To be called before anything else that uses them; later it has no effect.
    ///
    /// - Parameter processorCount: The processors that this process may run on. What a container's quota allows, SwiftNIO
    ///   knows by itself.
    package static func use(processorCount: Int) {
        NIOSingletons.groupLoopCountSuggestion = max(1, min(processorCount, System.coreCount))
    }
}
