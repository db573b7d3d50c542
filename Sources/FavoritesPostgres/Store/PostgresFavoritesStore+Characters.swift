package import MarvelDomain

/// The characters on lists, read on the connection of the work that may wait.
extension PostgresFavoritesStore: FavoriteCharacters {
    package func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64> {
        try await background.run { connection throws(DatabaseFault) in
            try connection.run(.favoritesAmong, .ids(Array(ids))).firstColumn()
        }
    }

    package func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await background.run { connection throws(DatabaseFault) in
            var parameters = Parameters.ids(Array(excluded))
            parameters.add(Int64(limit))
            let rows = try connection.run(.favoriteCharacters, parameters)
            var characters: [MarvelCharacter] = []
            for row in 0..<rows.count { characters.append(try Favorite.stored(rows.bytes(row, 0)).character) }
            return characters
        }
    }

    /// Reads the table `marvel.pictures`. Servers of the version before write it and delete from it, and `restore` and
    /// `copy` fill it. Servers of this version only read it: each pins what it finds there in its own cache. So no server
    /// may drop it yet: a later version stops reading it, and the version after that drops it.
    package func formerPictureIDs() async throws(StoreError) -> Set<Int64> {
        try await background.run { connection throws(DatabaseFault) in
            try connection.run(.formerPictureIDs).firstColumn()
        }
    }

    package func formerPictures(of ids: [Int64]) async throws(StoreError) -> [KeptPicture] {
        try await background.run { connection throws(DatabaseFault) in
            let rows = try connection.run(.formerPictures, .ids(ids))
            var pictures: [KeptPicture] = []
            for row in 0..<rows.count {
                if let picture = try KeptPicture(rows, row) { pictures.append(picture) }
            }
            return pictures
        }
    }
}

extension KeptPicture {
    /// Reads a row of `marvel.pictures`; nil if it is a type of picture that this version does not know.
    init?(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        guard let mediaType = PictureType(rawValue: try rows.text(row, 1)) else { return nil }
        let picture = Picture(
            bytes: try rows.bytes(row, 3),
            mediaType: mediaType,
            isPlaceholder: try rows.boolean(row, 2)
        )
        let fetchedAt = Timestamp(seconds: try rows.integer(row, 4))
        self.init(id: try rows.integer(row, 0), picture: picture, fetchedAt: fetchedAt)
    }
}

extension Rows {
    /// Reads the numbers in the first column.
    fileprivate func firstColumn() throws(DatabaseFault) -> Set<Int64> {
        var numbers: Set<Int64> = []
        for row in 0..<count { numbers.insert(try integer(row, 0)) }
        return numbers
    }
}

extension Parameters {
    fileprivate static func ids(_ ids: [Int64]) -> Parameters {
        var parameters = Parameters()
        parameters.add(ids)
        return parameters
    }
}
