internal import MarvelDomain
internal import Testing

@testable internal import FavoritesPostgres

/// The pure parts: what is sent and read, and what follows from an error.
@Suite struct ValueTests {
    @Test(arguments: [[], [1], [-5, .max, .min]] as [[Int64]])
    func readReturnsTheNumbersOfASentArray(_ numbers: [Int64]) throws {
        let parameters = Parameters(numbers)
        #expect(try BinaryValue(parameters.values.bytes).integers() == numbers)
    }

    @Test func aColumnIsAnArrayOfItsRows() throws {
        let column = Column<Int64>()
        for numbers in [[1, 2], [], [-5, .max, .min]] as [[Int64]] {
            column.removeAll()
            for number in numbers { column.append(number) }
            let parameters = Parameters()
            parameters.add(column)
            #expect(try BinaryValue(parameters.places[0].memory.bytes).integers() == numbers)
            #expect(parameters.lengths == [Int32(parameters.places[0].memory.count)])
        }
    }

    @Test func aColumnTellsWhetherItHasNulls() throws {
        let column = Column<Int64?>()
        for numbers in [[1, nil], [2, 3], [nil]] as [[Int64?]] {
            column.removeAll()
            for number in numbers { column.append(number) }
            let parameters = Parameters()
            parameters.add(column)
            let array = [UInt8](parameters.places[0].memory.bytes)
            #expect(array[4..<8].elementsEqual([0, 0, 0, numbers.contains(nil) ? 1 : 0]))
            #expect(array[12..<16].elementsEqual([0, 0, 0, UInt8(numbers.count)]))
            let nulls = numbers.count { $0 == nil }
            #expect(array.count == 20 + 4 * nulls + 12 * (numbers.count - nulls))
        }
    }

    @Test(
        arguments: [
            ([], nil), ([1], nil), ([0, 7], 7), ([255, 254], -2), ([0, 0, 1, 0], 256),
            ([255, 255, 255, 255, 255, 255, 255, 255], -1),
        ] as [([UInt8], Int64?)]
    )
    func numbersOfTwoFourAndEightBytesAreRead(_ bytes: [UInt8], _ expected: Int64?) {
        let number = bytes.withUnsafeBytes { bytes in try? BinaryValue(bytes).integer() }
        #expect(number == expected)
    }

    @Test(arguments: [0...11, 12...23, 25...31].joined().map { Int($0) })
    func malformedArraysAreRefused(_ count: Int) {
        let bytes = [0, 0, 0, 1] + [UInt8](repeating: 1, count: 32)
        #expect(throws: DatabaseFault.self) {
            try bytes.prefix(count).withUnsafeBytes { bytes throws in _ = try BinaryValue(bytes).integers() }
        }
    }

    @Test(
        arguments: [
            ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect), ("08006", .reconnect),
            ("25006", .reconnect), ("25P03", .reconnect), ("53300", .reconnect), ("40001", .retry), ("40P01", .retry),
            ("55P03", .retry), ("57014", .retry), ("23505", .retry), ("53100", .refuse), ("58030", .refuse),
            ("42501", .refuse), ("53200", .refuse), ("XX001", .endWriting), ("XX002", .endWriting), ("22021", .fail),
            ("42883", .fail), ("XX000", .fail),
        ] as [(String, SQLState.Consequence)]
    )
    func theSQLStateDecidesTheConsequenceOfAnError(_ code: String, _ consequence: SQLState.Consequence) {
        #expect(SQLState(code).consequence == consequence)
        let fault = DatabaseFault(kind: .server(SQLState(code)), message: "relation \"secret\"")
        #expect(fault.consequence == consequence)
        #expect(!fault.publicText.contains("secret"))
        let isTransient = consequence == .reconnect || consequence == .retry
        if case .unavailable = fault.writeError() { #expect(isTransient) } else { #expect(!isTransient) }
        if case .notReadable = fault.readError { #expect(!isTransient) } else { #expect(isTransient) }
    }

    @Test(arguments: [
        "postgresql://db.example/favorites", "postgres://one:5433,two/f?sslmode=verify-full",
        "postgresql:///f?host=/run",
    ])
    func anAddressOfLibpqIsAccepted(_ text: String) throws {
        #expect(DatabaseAddress.isAddress(text))
        #expect(try DatabaseAddress(text).text == text)
    }

    @Test(arguments: [
        "postgresql://host:port/x?nonsense=1", "postgresql://anna:secret@host/x", "postgresql:///f?password=secret",
    ])
    func anInvalidAddressAndAPasswordAreRefused(_ text: String) {
        let error = #expect(throws: FavoritesDatabaseError.self) { try DatabaseAddress(text) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: ["favorites.sqlite", "/var/lib/postgresql", ""]) func aPathIsNotAnAddress(_ text: String) {
        #expect(!DatabaseAddress.isAddress(text))
    }
}
