/// Checks for invisible characters, and for characters that make a text look like another one.
extension String {
    /// Whether the text contains invisible code points: zero-width spaces, byte order marks, fillers, tags, or controls
    /// of the text direction.
    ///
    /// Joiners are allowed between emoji, and after letters of scripts that need them (UAX #31, section 2.3). Variation
    /// selectors are allowed everywhere.
    var hasHiddenCharacters: Bool {
        var previous: Unicode.Scalar?
        var scalars = unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            if scalar.isJoiner {
                guard previous.map({ scalar.joins($0, next) }) ?? false else { return true }
            } else if scalar.isHidden {
                return true
            }
            if !scalar.properties.isVariationSelector { previous = scalar }
        }
        return false
    }

    var hasDirectionControls: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
            default: false
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

    fileprivate var isHidden: Bool {
        guard value >= 0x80 else { return false }
        return properties.generalCategory == .format
            || (properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector)
    }

    fileprivate func joins(_ previous: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
        switch previous.value {
        // The scripts from Arabic to Sinhala, Myanmar, Khmer and Mongolian.
        case 0x0620...0x0DFF, 0x1000...0x109F, 0x1780...0x18AF: true
        default: value == 0x200D && previous.isPictogram && next?.isPictogram == true
        }
    }

    /// Whether the code point is an emoji. Digits are excluded, because Unicode counts them as emoji too.
    private var isPictogram: Bool { value > 0xFF && properties.isEmoji }
}
