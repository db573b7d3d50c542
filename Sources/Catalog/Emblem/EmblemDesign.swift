/// What distinguishes one emblem from another, all of it derived from a character's id and name.
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
    /// What lies on the plate, behind the initials.
    let charge: Charge
    let backdrop: Backdrop
    let hasWings: Bool
    let colors: EmblemColors
    /// For what is drawn with some freedom: the heights of a skyline's houses.
    let seed: UInt64

    init(id: Int64, name: String) {
        var source = HashSource(id: id, name: name)
        self.plate = source.pick(Plate.allCases)
        self.charge = source.pick(Charge.allCases)
        self.backdrop = source.pick(Backdrop.allCases)
        self.hasWings = source.next(below: 3) == 0
        // Steps of the golden section spread the hues of neighboring ids evenly, however many there are.
        let hue = Double(UInt64(bitPattern: id) % 1_000_003) * 0.618_033_988_75
        self.colors = EmblemColors(
            hue: hue,
            fieldHue: hue + source.pick([0.5, 0.42, 0.58, 0.33, 0.67, 0.12]),
            metal: source.pick(EmblemColors.Metal.allCases)
        )
        self.seed = source.next()
    }
}
