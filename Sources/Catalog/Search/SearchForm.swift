/// The form of a name or a query that WORD_PREFIX, SUBSTRING and FUZZY compare.
///
/// It has the letters, digits and symbols of the folded name, and the starts of the words. Spaces and punctuation
/// separate words and are dropped.
///
///     Spider-Man (Peter Parker)      M.O.D.O.K.      2 + 2      🕷️-Man
///     spidermanpeterparker           modok           22         🕷man
///     ^     ^  ^    ^                ^^^^^           ^^         ^ ^
struct SearchForm: Sendable, Hashable {
    private(set) var letters: [UInt8] = []
    /// The starts of the words in the bytes of `letters`, in ascending order.
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

    /// - Parameter words: The words as UTF-8, none of them empty.
    init(words: [[UInt8]]) {
        for word in words {
            wordStarts.append(letters.count)
            letters += word
        }
    }

    var words: [[UInt8]] {
        zip(wordStarts, wordStarts.dropFirst() + [letters.count]).map { Array(letters[$0..<$1]) }
    }

    /// The scalars of the letters, the unit of typing mistakes. A Hangul syllable is two or three scalars, as it is
    /// typed.
    var scalars: [UInt32] { String(decoding: letters, as: UTF8.self).unicodeScalars.map(\.value) }

    /// Calls `body` with each compared letter of a folded name in valid UTF-8: the letter, its bytes, and whether a
    /// word begins with it.
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

    /// The role of a scalar in a name.
    private enum Role {
        case letter
        /// The scalar is dropped, and does not end a word: an accent, a joiner, or a skin tone.
        case mark
        /// The scalar is dropped, and separates words.
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

/// A decoder of one scalar from text that is known to be valid UTF-8.
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
