enum SyntheticText {
    /// As in the real catalog, most names have 5 to 25 letters, and a quarter has a person in brackets. Some have
    /// accents.
    static func name(_ choices: inout SeededRandom) -> String {
        switch choices.number(below: 100) {
        case 0..<15: invented(&choices)
        case 15..<45: "\(choices.element(of: epithets)) \(invented(&choices))"
        case 45..<60: "\(invented(&choices)) (\(person(&choices)))"
        case 60..<75: "\(choices.element(of: epithets)) \(choices.element(of: figures)) (\(person(&choices)))"
        case 75..<90: "\(choices.element(of: titles)) \(invented(&choices)) of \(invented(&choices))"
        case 90..<96: person(&choices)
        default: "\(choices.element(of: epithets)) \(choices.element(of: figures))"
        }
    }

    static func description(of name: String, _ choices: inout SeededRandom) -> String {
        let place = invented(&choices)
        let first = "\(name) \(choices.element(of: deeds)) \(place)"
        guard choices.number(below: 2) == 0 else { return first + "." }
        return "\(first), and \(choices.element(of: sequels)) \(invented(&choices))."
    }

    private static func invented(_ choices: inout SeededRandom) -> String {
        var word = choices.element(of: openings) + choices.element(of: middles)
        if choices.number(below: 2) == 0 { word += choices.element(of: links) }
        return word + choices.element(of: endings)
    }

    private static func person(_ choices: inout SeededRandom) -> String {
        "\(choices.element(of: givenNames)) \(invented(&choices))"
    }

    private static let epithets = [
        "Amber", "Ashen", "Brass", "Bright", "Cinder", "Cobalt", "Copper", "Crimson", "Dusk", "Ember", "Fallow",
        "Frost",
        "Gilded", "Granite", "Hollow", "Indigo", "Iron", "Ivory", "Jade", "Lantern", "Lunar", "Marble", "Mirror",
        "Night",
        "Onyx", "Pale", "Quartz", "Quick", "Rust", "Sable", "Salt", "Scarlet", "Shadow", "Silent", "Silver", "Solar",
        "Spark", "Spire", "Spinning", "Static", "Stone", "Storm", "Swift", "Thorn", "Tidal", "Umber", "Velvet",
        "Violet",
        "White", "Wild", "Winter", "Zinc",
    ]

    private static let figures = [
        "Archer", "Badger", "Beacon", "Bell", "Blade", "Comet", "Crane", "Dancer", "Drifter", "Engine", "Falconer",
        "Fox",
        "Gale", "Guard", "Hammer", "Harrier", "Hound", "Jackal", "Keeper", "Kestrel", "Lancer", "Lynx", "Mantis",
        "Marten",
        "Moth", "Needle", "Otter", "Paladin", "Pilgrim", "Piper", "Ranger", "Raven", "Rider", "Sailor", "Scholar",
        "Scout",
        "Sentry", "Shrike", "Smith", "Sparrow", "Stag", "Tempest", "Tinker", "Viper", "Walker", "Warden", "Weaver",
        "Wren",
    ]

    private static let titles = [
        "Agent", "Baron", "Captain", "Commander", "Count", "Doctor", "Duchess", "Lady", "Lord", "Madame", "Major",
        "Master", "Miss", "Mister", "Professor", "Sister",
    ]

    private static let givenNames = [
        "Ada", "Amir", "Anaïs", "Björn", "Carla", "Chidi", "Daniela", "Dov", "Elif", "Émile", "Farah", "Goran", "Hana",
        "Ines", "Ivo", "Jonas", "Jun", "Kofi", "Lena", "Lucía", "Mateo", "Mira", "Noor", "Olga", "Øyvind", "Petra",
        "Priya", "Quentin", "Ravi", "René", "Sana", "Sören", "Tessa", "Tomás", "Uma", "Vera", "Wanjiru", "Xenia",
        "Yusuf",
        "Zoë",
    ]

    private static let openings = [
        "Al", "Ar", "Bel", "Bor", "Cal", "Cor", "Dar", "Del", "El", "Fen", "Gar", "Hal", "Il", "Jor", "Kal", "Kor",
        "Lan",
        "Lor", "Mal", "Mar", "Mor", "Nor", "Or", "Pel", "Quor", "Ral", "San", "Sel", "Spel", "Tal", "Tor", "Ul", "Val",
        "Vor", "Wen", "Xan", "Yar", "Zel",
    ]

    private static let middles = [
        "a", "ada", "ami", "an", "ara", "e", "eda", "eli", "en", "era", "i", "ida", "ili", "in", "ira", "o", "odo",
        "oli",
        "on", "oro", "u", "uda", "ulu", "un", "ura", "é", "ö",
    ]

    private static let links = [
        "ba", "cho", "da", "fi", "ga", "ha", "ja", "ku", "la", "mi", "na", "po", "ra", "si", "ta", "vo", "wa", "ze",
    ]

    private static let endings = [
        "bane", "beth", "cor", "dan", "dor", "dra", "fel", "gard", "gorn", "jin", "kar", "lak", "lis", "mar", "mir",
        "nak",
        "nor", "ra", "rak", "ros", "sa", "shan", "th", "ther", "tis", "tor", "van", "vane", "vik", "wen", "yx", "zar",
    ]

    private static let deeds = [
        "keeps watch over the harbor of", "once led the miners of", "was raised by the clockmakers of",
        "stole the last lamp of", "hears every radio in the valley of", "owes a debt to the weavers of",
        "walked out of the fire that took", "draws maps of the tunnels under",
    ]

    private static let sequels = [
        "has not slept since the fall of", "tells nobody the true name of", "still looks for the gates of",
        "answers only to the council of", "carries a key that opens nothing but", "would trade all of it for",
    ]
}
