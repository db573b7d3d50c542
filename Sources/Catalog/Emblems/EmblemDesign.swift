internal import MarvelDomain

/// An emblem's properties, all derived from a character's id and name.
struct EmblemDesign: Sendable {
    enum Plate: CaseIterable, Sendable {
        case shield, dippedShield, hexagon, circle, octagon, rosette
    }

    enum Charge: CaseIterable, Sendable {
        case star, rays, chevrons, bolt, bars, rings, saltire, bend
    }

    enum Backdrop: CaseIterable, Sendable {
        case rays, skyline, rings, chevrons
    }

    let plate: Plate
    let charge: Charge
    let backdrop: Backdrop
    let hasWings: Bool
    let colors: EmblemColors
    let seed: UInt64

    init(id: Int64, name: String) {
        var source = SplitMix64(id: id, name: name)
        self.plate = source.pick(Plate.allCases)
        self.charge = source.pick(Charge.allCases)
        self.backdrop = source.pick(Backdrop.allCases)
        self.hasWings = source.next(below: 3) == 0
        // Steps of the golden section spread the hues of neighboring ids evenly.
        let hue = Double(UInt64(bitPattern: id) % 1_000_003) * 0.618_033_988_75
        self.colors = EmblemColors(
            hue: hue,
            fieldHue: hue + source.pick([0.5, 0.42, 0.58, 0.33, 0.67, 0.12]),
            metal: source.pick(EmblemColors.Metal.allCases)
        )
        self.seed = source.next()
    }
}

/// The same on every machine and in every release.
extension SplitMix64 {
    /// FNV-1a. The id is part of the initial value.
    fileprivate init(id: Int64, name: String) {
        var hash = FNV1a(seed: UInt64(bitPattern: id))
        hash.combine(name.utf8)
        self.init(seed: hash.value)
    }

    mutating func next(below limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }

    fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[next(below: elements.count)]
    }
}
