internal import Upstream

/// The paths and parameters that the original's description lists.
extension ResourceKind {
    var lists: [ResourceKind] {
        switch self {
        case .characters: [.comics, .series, .events, .stories]
        case .comics: [.characters, .creators, .events, .stories]
        case .creators: [.comics, .series, .events, .stories]
        case .events: [.characters, .comics, .creators, .series, .stories]
        case .series: [.characters, .comics, .creators, .events, .stories]
        case .stories: [.characters, .comics, .creators, .events, .series]
        }
    }

    var filters: [ResourceKind] {
        switch self {
        case .comics: [.characters, .creators, .events, .series, .stories]
        default: lists
        }
    }

    var orderWords: [String] {
        switch self {
        case .characters: ["name", "modified"]
        case .comics: ["title", "issueNumber", "onsaleDate", "focDate", "modified"]
        case .creators: ["lastName", "firstName", "middleName", "suffix", "modified"]
        case .events: ["name", "startDate", "modified"]
        case .series: ["title", "startYear", "modified"]
        case .stories: ["id", "modified"]
        }
    }

    var textParameters: [String] {
        switch self {
        case .characters, .events: ["name", "nameStartsWith"]
        case .comics:
            [
                "format", "title", "titleStartsWith", "issueNumber", "diamondCode", "digitalId", "upc", "isbn", "ean",
                "issn",
            ]
        case .creators:
            [
                "firstName", "middleName", "lastName", "suffix", "nameStartsWith", "firstNameStartsWith",
                "middleNameStartsWith", "lastNameStartsWith",
            ]
        case .series: ["title", "titleStartsWith", "startYear", "seriesType"]
        case .stories: []
        }
    }

    var ignoredParameters: Set<String> {
        switch self {
        case .comics: ["formatType", "noVariants", "dateDescriptor", "dateRange", "startYear", "hasDigitalIssue"]
        case .series: ["contains"]
        default: []
        }
    }

    func field(_ word: String) -> String {
        switch word {
        case "name" where self != .characters: self == .creators ? "fullName" : "title"
        case "startDate": "start"
        case "seriesType": "type"
        default: word
        }
    }

    /// All ids must be linked.
    var sharedIDs: [String: ResourceKind] {
        self == .comics ? ["sharedAppearances": .characters, "collaborators": .creators] : [:]
    }
}

extension DocumentQuery {
    /// As lenient as the original. Errors in this order: unknown parameter, blank, limit, ordering, filters.
    init(_ kind: ResourceKind, _ parameters: QueryParameters) throws(ParameterError) {
        let names = kind.textParameters + kind.sharedIDs.keys
        try parameters.checkNames(kind.ignoredParameters.union(names), kind.filters)
        var filters: [Filter] = []
        for name in kind.textParameters {
            // Numbers may be 0, which counts as blank in texts.
            let isNumber = ["startYear", "issueNumber", "digitalId"].contains(name)
            guard let text = isNumber ? parameters[name] : try parameters.text(name) else { continue }
            let prefixed = name.firstRange(of: "StartsWith").map { String(name[..<$0.lowerBound]) }
            filters.append(
                prefixed.map { .startsWith(field: kind.field($0), text) } ?? .equals(field: kind.field(name), text)
            )
        }
        let limit = try parameters.limit()
        let byDefault = [Order(field: kind.field(kind.orderWords[0]), isDescending: false)]
        let order = try parameters.order(of: kind) ?? byDefault
        for other in kind.filters {
            if let ids = try parameters.ids(of: other) { filters.append(.linked(to: other, ids)) }
        }
        for (name, other) in kind.sharedIDs {
            for id in try parameters.ids(of: other, name) ?? [] { filters.append(.linked(to: other, [id])) }
        }
        if let time = try parameters.modifiedSince() { filters.append(.modifiedSince(time)) }
        self.init(kind: kind, filters: filters, order: order, limit: limit, offset: parameters.offset)
    }
}
