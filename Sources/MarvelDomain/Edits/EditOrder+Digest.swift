extension EditOrder {
    /// A hash of the edit without its request id. It distinguishes a repeated request from a different one.
    ///
    /// It is the same in every build and on every machine. It does not protect against forgery.
    package var digest: Int64 {
        var hash = FNV1a()
        func add(_ number: Int64) { hash.combine(number: number) }
        func add(_ text: String?) {
            add(Int64(text?.utf8.count ?? -1))
            hash.combine((text ?? "").utf8)
        }
        switch target {
        case .new(let id):
            add(1)
            add(id ?? 0)
        case .existing(let id):
            add(2)
            add(id)
        case .reverted(let id):
            add(3)
            add(id)
        case .imported(let id, let kind, let time):
            add(4)
            add(id)
            add(kind.rawValue)
            add(time.seconds)
        }
        add(edit.name)
        add(edit.description)
        for count in [edit.comicCount, edit.seriesCount, edit.storyCount, edit.eventCount] {
            add(count.map(Int64.init) ?? .min)
        }
        add(Int64(edit.urls?.count ?? -1))
        for url in edit.urls ?? [] {
            add(url.type)
            add(url.url)
        }
        switch picture {
        case nil: add(0)
        case .remove: add(1)
        case .set(let picture):
            add(2)
            hash.combine(picture.bytes)
        }
        add(expectedRevision.map { $0 == 0 ? -1 : $0 } ?? 0)
        return Int64(bitPattern: hash.value)
    }
}
