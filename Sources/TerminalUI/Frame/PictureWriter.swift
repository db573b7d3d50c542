internal import MarvelDomain

struct PictureWriter: Sendable {
    private let method: PictureProtocol
    private var blocks = LeastRecentlyUsed<PlacedPictureKey, HalfBlocks>()
    private var images = LeastRecentlyUsed<PlacedPictureKey, Int>()
    private var placed: [(placement: PicturePlacement, image: Int, number: Int)] = []
    /// Ids begin at a high number, because other programs in the same window count from 1.
    private var lastNumber = 0x4D_0000

    init(_ method: PictureProtocol) {
        self.method = method
    }

    mutating func prepared(_ screen: Screen) -> Screen {
        var prepared = screen
        switch method {
        case .kitty: return screen
        case .none: prepared.pictures = []
        case .halfBlocks:
            for placement in screen.pictures {
                if let blocks = blocks(for: placement) { prepared.draw(blocks, for: placement) }
            }
            _ = blocks.trim(keeping: Set(screen.pictures.map(PlacedPictureKey.init)))
        }
        return prepared
    }

    private mutating func blocks(for placement: PicturePlacement) -> HalfBlocks? {
        let key = PlacedPictureKey(placement)
        if let known = blocks.use(key) { return known }
        let area = placement.rectangle
        let made = HalfBlocks(placement.image, columns: area.width, rows: area.height, placement.fit)
        if let made { blocks.keep(made, for: key) }
        return made
    }

    mutating func start(with pen: inout Pen) {
        guard case .kitty = method else { return }
        images = LeastRecentlyUsed()
        placed = []
        pen.append(KittyGraphics.deleteAll)
    }

    mutating func draw(_ screen: Screen, with pen: inout Pen) {
        guard case .kitty(let cell) = method else { return }
        for shown in placed where !screen.pictures.contains(shown.placement) {
            pen.append(KittyGraphics.remove(id: shown.image, placement: shown.number))
        }
        placed.removeAll { !screen.pictures.contains($0.placement) }
        for placement in screen.pictures where !placed.contains(where: { $0.placement == placement }) {
            guard let image = transmit(placement, cell, with: &pen) else { continue }
            lastNumber += 1
            let area = placement.rectangle
            pen.move(to: area.origin)
            pen.append(
                KittyGraphics.place(id: image, placement: lastNumber, columns: area.width, rows: area.height)
            )
            placed.append((placement, image, lastNumber))
        }
        for image in images.trim(keeping: Set(screen.pictures.map(PlacedPictureKey.init))) {
            pen.append(KittyGraphics.delete(id: image))
        }
    }

    private mutating func transmit(_ placement: PicturePlacement, _ cell: PixelSize, with pen: inout Pen) -> Int? {
        let key = PlacedPictureKey(placement)
        if let known = images.use(key) { return known }
        guard let image = placement.image(cell) else { return nil }
        lastNumber += 1
        images.keep(lastNumber, for: key)
        pen.append(KittyGraphics.transmit(image, id: lastNumber))
        return lastNumber
    }
}

extension PicturePlacement {
    fileprivate func image(_ cell: PixelSize) -> PixelImage? {
        image.fitted(to: PixelSize(width: rectangle.width * cell.width, height: rectangle.height * cell.height), fit)
    }
}

extension Rectangle {
    fileprivate var origin: Position { Position(column: column, row: row) }
}

extension LeastRecentlyUsed where Key == PlacedPictureKey {
    /// More than a window shows of pictures of a useful size.
    private static var maximumCount: Int { 128 }

    /// Never evicts entries in `needed`.
    fileprivate mutating func trim(keeping needed: Set<Key>) -> [Value] {
        var evicted: [Value] = []
        while count > Self.maximumCount, let oldest = evict(sparing: needed) { evicted.append(oldest.value) }
        return evicted
    }
}

struct PlacedPictureKey: Hashable, Sendable {
    private let id: Int
    private let fit: PicturePlacement.Fit
    private let columns: Int
    private let rows: Int

    init(_ placement: PicturePlacement) {
        self.id = placement.id
        self.fit = placement.fit
        self.columns = placement.rectangle.width
        self.rows = placement.rectangle.height
    }
}
