internal import MarvelDomain

struct PictureWriter: Sendable {
    private let method: PictureProtocol
    private var blocks = RenderedPictures<HalfBlocks>()
    private var images = RenderedPictures<Int>()
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
        if let known = blocks[key] { return known }
        let area = placement.rectangle
        let made = HalfBlocks(placement.image, columns: area.width, rows: area.height, placement.fit)
        if let made { blocks.insert(made, for: key) }
        return made
    }

    mutating func start(with pen: inout Pen) {
        guard case .kitty = method else { return }
        images = RenderedPictures()
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
        if let known = images[key] { return known }
        guard let image = placement.image(cell) else { return nil }
        lastNumber += 1
        images.insert(lastNumber, for: key)
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

struct RenderedPictures<Value: Sendable>: Sendable {
    private var values = LeastRecentlyUsed<PlacedPictureKey, Value>()

    /// More than a window shows of pictures of a useful size.
    private let maximumCount = 128

    subscript(key: PlacedPictureKey) -> Value? {
        mutating get { values.use(key) }
    }

    mutating func insert(_ value: Value, for key: PlacedPictureKey) { values.keep(value, for: key) }

    /// Never evicts entries in `needed`.
    mutating func trim(keeping needed: Set<PlacedPictureKey>) -> [Value] {
        var evicted: [Value] = []
        while values.count > maximumCount, let oldest = values.evict(sparing: needed) { evicted.append(oldest.value) }
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
