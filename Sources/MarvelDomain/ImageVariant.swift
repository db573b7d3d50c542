/// A size of a character's picture, named as in the Marvel API.
///
/// The names imply neither an order (`portrait_incredible` is smaller than `portrait_uncanny`) nor always a shape
/// (`standard_small` is not square). Clients lay out their screens for these sizes.
public enum ImageVariant: String, CaseIterable, Sendable {
    /// 50 x 75 pixels.
    case portraitSmall = "portrait_small"
    /// 100 x 150 pixels.
    case portraitMedium = "portrait_medium"
    /// 150 x 225 pixels.
    case portraitXLarge = "portrait_xlarge"
    /// 168 x 252 pixels.
    case portraitFantastic = "portrait_fantastic"
    /// 300 x 450 pixels.
    case portraitUncanny = "portrait_uncanny"
    /// 216 x 324 pixels.
    case portraitIncredible = "portrait_incredible"
    /// 65 x 45 pixels.
    case standardSmall = "standard_small"
    /// 100 x 100 pixels.
    case standardMedium = "standard_medium"
    /// 140 x 140 pixels.
    case standardLarge = "standard_large"
    /// 200 x 200 pixels.
    case standardXLarge = "standard_xlarge"
    /// 250 x 250 pixels.
    case standardFantastic = "standard_fantastic"
    /// 180 x 180 pixels.
    case standardAmazing = "standard_amazing"
    /// 120 x 90 pixels.
    case landscapeSmall = "landscape_small"
    /// 175 x 130 pixels.
    case landscapeMedium = "landscape_medium"
    /// 190 x 140 pixels.
    case landscapeLarge = "landscape_large"
    /// 270 x 200 pixels.
    case landscapeXLarge = "landscape_xlarge"
    /// 250 x 156 pixels.
    case landscapeAmazing = "landscape_amazing"
    /// 464 x 261 pixels.
    case landscapeIncredible = "landscape_incredible"
    /// The full picture, at most 500 pixels wide.
    case detail
    case full = ""

    public var width: Int { self.size.width }

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
