package import MarvelDomain

/// The pictures. They are written on the reader's connection, so that no toggle waits for their bytes.
extension PostgresFavoritesStore: PictureStore {
    package func picture(of id: Int64) async throws(StoreError) -> KeptPicture? {
        try await reader.run { [now] connection throws(DatabaseFault) in
            let rows = try connection.run(.picture, .numbers([id]))
            guard rows.count > 0, let mediaType = PictureType(rawValue: try rows.text(0, 0)) else { return nil }
            let picture = Picture(
                bytes: try rows.bytes(0, 2),
                mediaType: mediaType,
                isPlaceholder: try rows.boolean(0, 1)
            )
            let (age, overflow) = now().seconds.subtractingReportingOverflow(try rows.integer(0, 3))
            return KeptPicture(picture, age: .seconds(overflow ? 0 : max(0, age)))
        }
    }

    package func hasPicture(of id: Int64) async throws(StoreError) -> Bool {
        try await reader.run { connection throws(DatabaseFault) in
            try connection.run(.hasPicture, .numbers([id])).boolean(0, 0)
        }
    }

    package func keep(_ pictures: [Int64: Picture]) async throws(StoreError) -> Set<Int64> {
        try await reader.run(.write) { [now] connection throws(DatabaseFault) in
            var kept: Set<Int64> = []
            try connection.transaction { () throws(DatabaseFault) in
                for (id, picture) in pictures {
                    var parameters = Parameters()
                    parameters.add(id)
                    parameters.add(picture.mediaType.rawValue)
                    parameters.add(Int64(picture.isPlaceholder ? 1 : 0))
                    parameters.add(picture.bytes)
                    parameters.add(now().seconds)
                    if try connection.run(.keepPicture, parameters).count > 0 { kept.insert(id) }
                }
            }
            return kept
        }
    }

    package func dropPictures(of ids: Set<Int64>?) async throws(StoreError) {
        try await reader.run(.write) { connection throws(DatabaseFault) in
            guard let ids else { return _ = try connection.run(.dropUnusedPictures) }
            var parameters = Parameters()
            parameters.add(Array(ids))
            try connection.run(.dropPictures, parameters)
        }
    }

    package func charactersWithoutPicture(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await reader.run { connection throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(Array(excluded))
            parameters.add(Int64(limit))
            let rows = try connection.run(.withoutPicture, parameters)
            var characters: [MarvelCharacter] = []
            for row in 0..<rows.count { characters.append(try Favorite.stored(rows.bytes(row, 0)).character) }
            return characters
        }
    }
}

extension Parameters {
    fileprivate static func numbers(_ numbers: [Int64]) -> Parameters {
        var parameters = Parameters()
        for number in numbers { parameters.add(number) }
        return parameters
    }
}

extension PostgresConnection {
    /// Runs statements in one transaction. If one fails, none of them counts.
    fileprivate func transaction(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        try execute("BEGIN")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }
}
