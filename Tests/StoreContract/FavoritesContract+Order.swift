internal import MarvelDomain

/// The order of calls that do not wait for each other. Each is called on the thread of the one before: an immediate task
/// runs up to its first suspension.
extension FavoritesContract {
    static let order = [
        FavoritesContract("the changes of a list are made in the order of their calls, toggles and deletions alike") {
            stage in
            let store = try await stage.make()
            let feed = FeedRecorder(store)
            let names = try (1...8).map { try ListName(valid: "list-\($0)") }
            // Each call makes a change, but only in this order.
            let revisions = try await withThrowingTaskGroup { group in
                for name in names {
                    group.addTask {
                        let calls = (0..<60).map { step in
                            Task.immediate {
                                guard step % 3 == 1 else {
                                    return try await store.answer(step % 3 == 0 ? 1 : 2, on: name, .toggle).revision
                                }
                                let key = RequestKey(RequestID("\(name) \(step)"))
                                return try await store.delete(name, request: key).revision
                            }
                        }
                        var revisions: [Int64] = []
                        for call in calls { revisions.append(try await call.value) }
                        return (name, revisions)
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            // Toggle 1, delete, toggle 2; toggle 1, delete, toggle 2; and so on.
            for name in names {
                try expect(revisions[name], Array(1...60), "the answers of \(name)")
                let changes = feed.changes(of: name)
                try expect(changes.map(\.isDeletion), (0..<60).map { $0 % 3 == 1 }, "the changes of \(name)")
                let saved = (0..<60).map { [1, nil, 2][$0 % 3] as Int64? }
                try expect(changes.map(\.saved?.character.id), saved, "the changes of \(name)")
                try expect(try await store.ids(name), [2], "the list \(name)")
            }
        },
        FavoritesContract("a request repeated while in flight gets the same answer") { stage in
            let store = try await stage.make()
            let calls = (0..<20).map { number in
                Task.immediate { try await store.answer(1, request: "r-1") }
            }
            let others = [
                Task.immediate { try await store.answer(2, request: "r-1").revision },
                Task.immediate { try await store.answer(1, .saved, request: "r-1").revision },
                Task.immediate { try await store.delete(.default, request: RequestKey(RequestID("r-1"))).revision },
            ]
            let first = try await calls[0].value
            try expect(first.revision, 1)
            for call in calls { try expect(try await call.value, first, "a repeat") }
            for other in others {
                try await expect(.requestIDReused, "another request") { try await other.value }
            }
            try expect(try await store.allChanges().count, 1, "changes")
        },
        FavoritesContract("a deletion repeated while in flight deletes nothing newer") {
            stage in
            let store = try await stage.make()
            let key = RequestKey(RequestID("d-1"))
            let first = Task.immediate { try await store.answer(1) }
            let deletion = Task.immediate { try await store.delete(.default, request: key) }
            let second = Task.immediate { try await store.answer(2) }
            let again = Task.immediate { try await store.delete(.default, request: key) }
            let reuse = Task.immediate { try await store.answer(3, request: "d-1") }
            try expect([try await first.value.revision, try await second.value.revision], [1, 3])
            try expect(try await deletion.value.existed, true)
            try expect(try await again.value, try await deletion.value, "the repeat")
            try await expect(.requestIDReused, "a toggle with its id") { try await reuse.value }
            try expect(try await store.ids(), [2])
        },
    ]
}
