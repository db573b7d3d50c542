internal import Synchronization

/// A value that sends itself and every change to its readers.
///
/// A reader gets the current value, and then the changes, in order. A slow reader skips values in between, but never the
/// last one. Any thread may send.
package final class CurrentValueSubject<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var lastReader: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock(\.value) }

    package func send(_ value: Value) {
        update { $0 = value }
    }

    /// Changes the value, and sends it. `change` runs under the lock.
    package func update(_ change: (inout Value) -> Void) {
        // Release the previous values outside of the lock: their deinit may do anything.
        let released = state.withLock { state in
            let before = state.value
            change(&state.value)
            return (before, state.readers.values.map { $0.yield(state.value) })
        }
        _ = released
    }

    /// The current value and all later ones, for one reader.
    package var values: AsyncStream<Value> {
        let (values, reader) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = reader
            reader.yield(state.value)
            return state.lastReader
        }
        reader.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return values
    }
}
