/// A size of a character's picture, named as in the Marvel API.
///
/// The names tell neither the order of sizes (`portrait_incredible` is smaller than `portrait_uncanny`) nor always the
/// shape (`standard_small` is not square). The sizes are those of the API, because clients lay out their screens for
/// them.
public enum ImageVariant: String, CaseIterable, Sendable {
    case portraitSmall = "portrait_small"
    case portraitMedium = "portrait_medium"
    case portraitXLarge = "portrait_xlarge"
    case portraitFantastic = "portrait_fantastic"
    case portraitUncanny = "portrait_uncanny"
    case portraitIncredible = "portrait_incredible"
    case standardSmall = "standard_small"
    case standardMedium = "standard_medium"
    case standardLarge = "standard_large"
    case standardXLarge = "standard_xlarge"
    case standardFantastic = "standard_fantastic"
    case standardAmazing = "standard_amazing"
    case landscapeSmall = "landscape_small"
    case landscapeMedium = "landscape_medium"
    case landscapeLarge = "landscape_large"
    case landscapeXLarge = "landscape_xlarge"
    case landscapeAmazing = "landscape_amazing"
    case landscapeIncredible = "landscape_incredible"
    /// The full picture, at most 500 pixels wide.
    case detail
    /// The full picture, which an address without a variant requests.
    case full = ""

    /// The width in pixels.
    public var width: Int { self.size.width }

    /// The height in pixels.
    public var height: Int { self.size.height }

    private var size: (width: Int, height: Int) {
        switch self {
        case .portraitSmall: (50, 75)
        case .portraitMedium: (100, 150)
        case .portraitXLarge: (150, 225)
        case .portraitFantastic: (168, 252)
        case .portraitUncanny: (300, 450)
        case .portraitIncredible: (216, 324)
        case .standardSmall: (65, 45)
        case .standardMedium: (100, 100)
        case .standardLarge: (140, 140)
        case .standardXLarge: (200, 200)
        case .standardFantastic: (250, 250)
        case .standardAmazing: (180, 180)
        case .landscapeSmall: (120, 90)
        case .landscapeMedium: (175, 130)
        case .landscapeLarge: (190, 140)
        case .landscapeXLarge: (270, 200)
        case .landscapeAmazing: (250, 156)
        case .landscapeIncredible: (464, 261)
        case .detail: (500, 500)
        case .full: (600, 600)
        }
    }
}
