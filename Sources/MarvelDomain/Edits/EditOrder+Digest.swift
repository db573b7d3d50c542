extension EditOrder {
    /// A hash of the edit without its request id. It distinguishes a repeated request from a different one.
    ///
    /// It is the same in every build and on every machine. It does not protect against forgery.
    package var digest: Int64 {
        var hash = FNV1a()
        hash.combine(
            JSONWriter.object { json in
                switch target {
                case .new(let id): json.field("new", id ?? 0)
                case .existing(let id): json.field("existing", id)
                case .reverted(let id): json.field("reverted", id)
                case .imported(let id, _, _): json.field("imported", id)
                }
                edit.writeMembers(to: &json)
                if let expectedRevision { json.field("expected_revision", expectedRevision) }
                if picture == .remove { json.field("picture", "") }
            }
        )
        if case .set(let picture) = picture { hash.combine(picture.bytes) }
        return Int64(bitPattern: hash.value)
    }
}
