internal import CMarvelMessages

package struct Freshness: Sendable, Hashable {
    package var source: Source
    /// The time since the source gave the data, to the nanosecond.
    package var age: Duration
    /// The source cannot be reached.
    package var isStale: Bool

    package init(source: Source = .unspecified, age: Duration = .zero, isStale: Bool = false) {
        self.source = source
        self.age = age
        self.isStale = isStale
    }
}

/// An age of zero is not sent.
extension Freshness: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__Freshness> { marvel__v1__freshness__init }

    init(copying message: Marvel__V1__Freshness) throws(WireError) {
        self.init(
            source: Source(rawValue: Int32(bitPattern: message.source.rawValue)),
            age: try Duration(copying: message.age, field: "age") ?? .zero,
            isStale: message.is_stale != 0
        )
    }

    func fill(_ message: inout Marvel__V1__Freshness, in arena: inout EncodingArena) {
        message.source = Marvel__V1__Freshness__Source(rawValue: UInt32(bitPattern: source.rawValue))
        message.age = age == .zero ? nil : arena.message(age)
        message.is_stale = isStale ? 1 : 0
    }
}
