/// What a subscriber of a `Subject` gets.
package enum Received<Value: Sendable>: Sendable {
    case value(Value)
    /// So many events came here while the subscriber had not taken those before them.
    case missed(Int)

    package var value: Value? {
        switch self {
        case .value(let value): value
        case .missed: nil
        }
    }
}

extension Received: Equatable where Value: Equatable {}
