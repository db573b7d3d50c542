/// The letters, digits and symbols of a folded name, and the starts of the words. WORD_PREFIX, SUBSTRING and FUZZY
/// compare it.
///
///     Spider-Man (Peter Parker)      M.O.D.O.K.      2 + 2      🕷️-Man
///     spidermanpeterparker           modok           22         🕷man
///     ^     ^  ^    ^                ^^^^^           ^^         ^ ^
struct SearchForm: Sendable, Hashable {
    private(set) var letters: [UInt8] = []
    /// In the bytes of `letters`, in ascending order.
    private(set) var wordStarts: [Int] = []

    init(_ name: FoldedName) {
        name.utf8.withUnsafeBufferPointer { folded in
            SearchForm.forEachLetter(of: folded) { _, bytes, beginsWord in
                if beginsWord { wordStarts.append(letters.count) }
                letters.append(contentsOf: bytes)
            }
        }
    }

    init(_ text: String) { self.init(FoldedName(text)) }

    /// UTF-8, no word is empty.
    init(words: [[UInt8]]) {
        for word in words {
            wordStarts.append(letters.count)
            letters += word
        }
    }

    var words: [[UInt8]] {
        zip(wordStarts, wordStarts.dropFirst() + [letters.count]).map { Array(letters[$0..<$1]) }
    }

    /// The unit of typing mistakes. A Hangul syllable is two or three scalars, as it is typed.
    var scalars: [UInt32] { String(decoding: letters, as: UTF8.self).unicodeScalars.map(\.value) }

    /// The name is folded and valid UTF-8. `body` gets the letter, its bytes, and whether a word begins with it.
    @inline(__always)
    static func forEachLetter(
        of folded: UnsafeBufferPointer<UInt8>,
        _ body: (_ letter: UInt32, _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ beginsWord: Bool) -> Void
    ) {
        var isBehindGap = true
        var place = 0
        while place < folded.count {
            let (letter, byteCount) = UTF8Scalar.decode(folded, at: place)
            switch Role(letter) {
            case .letter:
                body(letter, folded[place..<place + byteCount], isBehindGap)
                isBehindGap = false
            case .mark: break
            case .gap: isBehindGap = true
            }
            place += byteCount
        }
    }

    private enum Role {
        case letter
        /// Dropped, without ending a word: an accent, a joiner, or a skin tone.
        case mark
        /// Dropped, and separates words.
        case gap

        @inline(__always)
        init(_ scalar: UInt32) {
            switch scalar {
            case 0x61...0x7A, 0x30...0x39: self = .letter
            case 0..<0x80: self = .gap
            default: self.init(beyondASCII: scalar)
            }
        }

        private init(beyondASCII scalar: UInt32) {
            switch Unicode.Scalar(scalar)?.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .modifierSymbol: self = .mark
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
                .surrogate, nil:
                self = .gap
            default: self = .letter
            }
        }
    }
}

/// The text must be valid UTF-8.
enum UTF8Scalar {
    @inline(__always)
    static func decode(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> (scalar: UInt32, byteCount: Int) {
        let first = UInt32(text[place])
        func following(_ offset: Int) -> UInt32 { UInt32(text[place + offset] & 0x3F) }
        switch first {
        case ..<0x80: return (first, 1)
        case ..<0xE0: return ((first & 0x1F) << 6 | following(1), 2)
        case ..<0xF0: return ((first & 0x0F) << 12 | following(1) << 6 | following(2), 3)
        default: return ((first & 0x07) << 18 | following(1) << 12 | following(2) << 6 | following(3), 4)
        }
    }
}
