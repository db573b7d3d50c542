internal import Dispatch
internal import MarvelDomain
internal import NIOCore
internal import Synchronization
internal import WireMessages

extension CharacterIndex {
    struct BlockLimits: Sendable {
        var characters = 2048
        /// A block always takes its first character. Keeps `EncodedCharacters.encoded` below 16 MiB.
        var bytes = 8 * 1024 * 1024
    }

    convenience init(_ characters: some Sequence<MarvelCharacter>, limits: BlockLimits = BlockLimits()) {
        var builder = CharacterIndexBuilder()
        for character in characters { builder.append(character) }
        self.init(blocks: builder.blocks(limits))
    }

    /// The ids must be distinct. Works in parts, on all cores.
    convenience init(
        distinct characters: some RandomAccessCollection<MarvelCharacter> & Sendable,
        partSize: Int = 16_384
    ) {
        let parts = onAllCores((characters.count + partSize - 1) / partSize) { part in
            var builder = CharacterIndexBuilder()
            for character in characters.dropFirst(part * partSize).prefix(partSize) { builder.add(character) }
            return builder
        }
        self.init(blocks: CharacterIndexBuilder(joining: parts).blocks(BlockLimits()))
    }
}

extension CharacterIndex {
    /// Rebuilds only the affected blocks. Each id occurs once in `characters`; a name may differ from the earlier one.
    /// Unknown ids in `removed` are ignored.
    func editing(
        putting characters: [MarvelCharacter],
        removing removed: Set<Int64> = [],
        limits: BlockLimits = BlockLimits()
    ) -> CharacterIndex {
        guard !blocks.isEmpty else { return CharacterIndex(characters, limits: limits) }
        var edits: [Int: BlockEdit] = [:]
        for id in removed.union(characters.map(\.id)) {
            if let place = place(ofID: id) { edits[place.block, default: BlockEdit()].removed.insert(id) }
        }
        for character in characters.map(\.withinLimits) {
            edits[block(for: character), default: BlockEdit()].added.append(character)
        }
        return replacingBlocks(
            with: blocks.enumerated().flatMap { number, block in
                edits[number].map { $0.blocks(of: block, limits) } ?? [block]
            }
        )
    }

    /// Returns the first block if no block begins before the character.
    private func block(for character: MarvelCharacter) -> Int {
        let foldedName = FoldedName(character.name).utf8
        let next = partitionPoint(0..<blocks.count) { !blocks[$0].begins(before: character, foldedName) }
        return max(0, next - 1)
    }
}

private struct BlockEdit {
    var removed: Set<Int64> = []
    /// They belong after the block's first character, except in the first block.
    var added: [MarvelCharacter] = []

    func blocks(of block: CharacterBlock, _ limits: CharacterIndex.BlockLimits) -> [CharacterBlock] {
        var builder = CharacterIndexBuilder()
        for (slot, id) in block.characters.ids.enumerated() where !removed.contains(id) {
            if let character = block.character(slot) { builder.add(character) }
        }
        for character in added { builder.add(character) }
        let blocks = builder.blocks(.init(characters: limits.characters * 3 / 2, bytes: limits.bytes * 3 / 2))
        return blocks.count > 1 ? builder.blocks(limits) : blocks
    }
}

/// Returns the results in their order.
private func onAllCores<Result: Sendable>(_ count: Int, _ work: @Sendable (_ number: Int) -> Result) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { number in
        let result = work(number)
        results.withLock { $0[number] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
}

/// The data of all characters is in a few large allocations, and sorting moves 24 bytes for each character.
private struct CharacterIndexBuilder: Sendable {
    private struct SortKey {
        var head: UInt64
        var second: UInt64
        var number: UInt32
    }

    private var encoded = ByteBuffer()
    private var ends: [Int] = []
    private var ids: [Int64] = []
    private var comicCounts: [Int32] = []
    private var known: Set<Int64> = []
    private var names = PackedTexts()
    private var foldedNames = PackedTexts()

    init() {}

    init(joining parts: [CharacterIndexBuilder]) {
        encoded.reserveCapacity(parts.reduce(0) { $0 + $1.encoded.readableBytes })
        for part in parts {
            let start = encoded.writerIndex
            encoded.writeImmutableBuffer(part.encoded)
            ends += part.ends.map { start + $0 }
            ids += part.ids
            comicCounts += part.comicCounts
            names.append(contentsOf: part.names)
            foldedNames.append(contentsOf: part.foldedNames)
        }
    }

    mutating func append(_ character: MarvelCharacter) {
        if known.insert(character.id).inserted { add(character) }
    }

    mutating func add(_ character: MarvelCharacter) {
        let character = character.withinLimits
        SearchCharactersResponse.writeCharacter(character, into: &encoded)
        ends.append(encoded.writerIndex)
        ids.append(character.id)
        comicCounts.append(character.comicCount)
        names.append(character.name.utf8)
        foldedNames.append(FoldedName(character.name).utf8)
    }

    func blocks(_ limits: CharacterIndex.BlockLimits) -> [CharacterBlock] {
        var members: [ArraySlice<Int>] = []
        var rest = sortedNumbers()[...]
        while !rest.isEmpty {
            members.append(rest.prefix(memberCount(of: rest, limits)))
            rest = rest.dropFirst(members[members.count - 1].count)
        }
        return onAllCores(members.count) { [members] in block(members[$0]) }
    }

    private func sortedNumbers() -> [Int] {
        var keys = ids.indices.map { number in
            SortKey(
                head: foldedNames.head(number),
                second: foldedNames.head(number, from: PackedTexts.headByteCount),
                number: UInt32(number)
            )
        }
        keys.sort(by: precedes)
        return keys.map { Int($0.number) }
    }

    private func precedes(_ left: SortKey, _ right: SortKey) -> Bool {
        if left.head != right.head { return left.head < right.head }
        if left.second != right.second { return left.second < right.second }
        let (left, right) = (Int(left.number), Int(right.number))
        let byFoldedName = foldedNames.order(left, right)
        if byFoldedName != 0 { return byFoldedName < 0 }
        let byName = names.order(left, right)
        return byName != 0 ? byName < 0 : ids[left] < ids[right]
    }

    private func memberCount(of numbers: ArraySlice<Int>, _ limits: CharacterIndex.BlockLimits) -> Int {
        var byteCount = 0
        for (count, number) in numbers.enumerated() {
            byteCount += encodedRange(number).count
            if count == max(limits.characters, 1) || (count > 0 && byteCount > limits.bytes) { return count }
        }
        return numbers.count
    }

    private func block(_ members: ArraySlice<Int>) -> CharacterBlock {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(members.reduce(0) { $0 + encodedRange($1).count })
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(members.count + 1)
        var texts = PackedTexts()
        texts.reserve(texts: members.count, bytes: members.reduce(0) { $0 + foldedNames.range($1).count })
        for number in members {
            let range = encodedRange(number)
            encoded.withUnsafeReadableBytes { all in
                _ = bytes.writeBytes(UnsafeRawBufferPointer(rebasing: all[range]))
            }
            offsets.append(UInt32(bytes.writerIndex))
            texts.append(foldedNames[number])
        }
        return CharacterBlock(
            characters: EncodedCharacters(encoded: bytes, offsets: offsets, ids: members.map { ids[$0] }),
            foldedNames: texts,
            comicCounts: members.map { comicCounts[$0] }
        )
    }

    private func encodedRange(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }
}
