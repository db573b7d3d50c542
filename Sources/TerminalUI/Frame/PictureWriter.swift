/// A writer of the pictures of a screen. It caches encoded pictures and tracks the pictures that the terminal shows.
struct PictureWriter: Sendable {
    private let method: PictureProtocol
    private var blocks = RenderedPictures<HalfBlocks>()
    private var sixels = RenderedPictures<[UInt8]>()
    /// The ids of the images that were transmitted to a Kitty terminal.
    private var images = RenderedPictures<Int>()
    /// The placements that a Kitty terminal shows.
    private var placed: [(placement: PicturePlacement, image: Int, number: Int)] = []
    /// The last id that was used. Ids begin at a high number, because other programs in the same window count from 1.
    private var lastNumber = 0x4D_0000

    init(_ method: PictureProtocol) {
        self.method = method
    }

    /// Whether text and pictures share the cells, so that each overwrites the other.
    var isInCells: Bool { if case .sixel = method { true } else { false } }

    /// Returns the screen with half blocks in place of each picture that cannot be drawn in pixels.
    mutating func prepared(_ screen: Screen) -> Screen {
        var prepared = screen
        for placement in screen.pictures where !isDrawnInPixels(placement, screen) {
            if case .none = method {
                prepared.pictures.removeAll { $0 == placement }
            } else if let blocks = blocks(for: placement) {
                prepared.draw(blocks, for: placement)
            }
        }
        _ = blocks.trim(keeping: Set(screen.pictures.map(PlacedPictureKey.init)))
        return prepared
    }

    /// Returns whether a picture is drawn in pixels. A sixel picture that ends in the last row could scroll the window.
    private func isDrawnInPixels(_ placement: PicturePlacement, _ screen: Screen) -> Bool {
        switch method {
        case .none, .halfBlocks: false
        case .kitty: true
        case .sixel: placement.rectangle.rows.upperBound < screen.size.rows
        }
    }

    private mutating func blocks(for placement: PicturePlacement) -> HalfBlocks? {
        let key = PlacedPictureKey(placement)
        if let known = blocks[key] { return known }
        let area = placement.rectangle
        let made = HalfBlocks(placement.image, columns: area.width, rows: area.height, placement.fit)
        if let made { blocks.insert(made, for: key) }
        return made
    }

    /// Prepares for drawing everything again on an empty window.
    mutating func start(with pen: inout Pen) {
        guard case .kitty = method else { return }
        images = RenderedPictures()
        placed = []
        pen.append(KittyGraphics.deleteAll)
    }

    /// Draws the pictures that the window does not show yet. The cells are drawn before.
    ///
    /// - Parameters:
    ///   - screen: The new frame, as `prepared` returned it.
    ///   - before: The previous frame.
    ///   - damaged: The cells of pictures that were overwritten since.
    ///   - pen: The pen that draws.
    mutating func draw(_ screen: Screen, over before: Screen, damaged: Set<Position>, with pen: inout Pen) {
        switch method {
        case .none, .halfBlocks: break
        case .sixel(let cell): drawSixels(screen, over: before, damaged, cell, with: &pen)
        case .kitty(let cell): drawKitty(screen, cell, with: &pen)
        }
    }

    private mutating func drawSixels(
        _ screen: Screen,
        over before: Screen,
        _ damaged: Set<Position>,
        _ cell: PixelSize,
        with pen: inout Pen
    ) {
        for placement in screen.pictures {
            let isShown = before.pictures.contains(placement)
            guard !isShown || damaged.contains(where: placement.rectangle.contains) else { continue }
            let key = PlacedPictureKey(placement)
            let known = sixels[key]
            guard let bytes = known ?? placement.image(cell).map(SixelEncoder.encode) else { continue }
            if known == nil { sixels.insert(bytes, for: key) }
            pen.move(to: placement.rectangle.origin)
            pen.append(bytes)
        }
        _ = sixels.trim(keeping: Set(screen.pictures.map(PlacedPictureKey.init)))
    }

    private mutating func drawKitty(_ screen: Screen, _ cell: PixelSize, with pen: inout Pen) {
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

    /// Transmits an image, unless the terminal has it already, and returns its id.
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
    /// Returns the image, scaled to the pixel size of its cells.
    fileprivate func image(_ cell: PixelSize) -> PixelImage? {
        image.fitted(to: PixelSize(width: rectangle.width * cell.width, height: rectangle.height * cell.height), fit)
    }
}

extension Rectangle {
    fileprivate var origin: Position { Position(column: column, row: row) }
}
