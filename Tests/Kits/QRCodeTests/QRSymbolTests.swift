import Testing

@testable import QRCode

@Suite struct QRSymbolTests {
    @Test(arguments: QRSymbol.Correction.allCases)
    func everyVersionHasItsFunctionPatterns(_ correction: QRSymbol.Correction) throws {
        for version in Version.all {
            let symbol = try QRSymbol(fillingText(version, correction), correction: correction)
            let last = symbol.size - 1
            #expect(symbol.size == 17 + 4 * version.number)
            for (row, column) in [(0, 0), (0, last - 6), (last - 6, 0)] {
                #expect(drawing(of: symbol, row, column, 7) == Self.finder)
            }
            for index in 8..<symbol.size - 8 {
                #expect(symbol[6, index] == (index % 2 == 0))
                #expect(symbol[index, 6] == (index % 2 == 0))
            }
            #expect(symbol[symbol.size - 8, 8])
            if version.number > 1 {
                #expect(drawing(of: symbol, last - 8, last - 8, 5) == Self.alignment)
            }
        }
    }

    static let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    static let alignment = ["#####", "#...#", "#.#.#", "#...#", "#####"]

    /// The capacity of version 10 in characters (ISO/IEC 18004, table 7).
    static let limits: [(QRSymbol.Correction, Int, Int)] = [
        (.low, 271, 395), (.medium, 213, 311), (.quartile, 151, 221), (.high, 119, 174),
    ]

    @Test(arguments: limits)
    func textOverTheLimitIsRefused(_ correction: QRSymbol.Correction, _ bytes: Int, _ alphanumerics: Int) throws {
        for (character, limit) in [("a", bytes), ("A", alphanumerics)] {
            #expect(try QRSymbol(String(repeating: character, count: limit), correction: correction).size == 57)
            #expect(throws: QRError.tooLong) {
                try QRSymbol(String(repeating: character, count: limit + 1), correction: correction)
            }
        }
        #expect(try QRSymbol("é" + String(repeating: "a", count: bytes - 3), correction: correction).size == 57)
        #expect(throws: QRError.tooLong) {
            try QRSymbol("é" + String(repeating: "a", count: bytes - 2), correction: correction)
        }
    }

    @Test func veryLongTextIsRefused() {
        #expect(throws: QRError.tooLong) { try QRSymbol(String(repeating: "é", count: 100_000)) }
    }

    @Test func sizeGrowsWithTheText() throws {
        var size = 21
        for length in stride(from: 0, through: 213, by: 3) {
            let symbol = try QRSymbol(String(repeating: "x", count: length))
            #expect(symbol.size >= size)
            size = symbol.size
        }
    }

    @Test func symbolDependsOnTextAndCorrectionOnly() throws {
        #expect(try QRSymbol("CALL ME 2077") == QRSymbol("CALL ME 2077"))
        #expect(try QRSymbol("CALL ME 2077") != QRSymbol("CALL ME 2078"))
        #expect(try QRSymbol("CALL ME 2077") != QRSymbol("CALL ME 2077", correction: .low))
    }

    @Test func modulesOutsideTheSymbolAreLight() throws {
        let symbol = try QRSymbol("x")
        for index in [Int.min, -1, 21, Int.max] {
            #expect(!symbol[index, 0])
            #expect(!symbol[0, index])
        }
    }

    /// The codewords of "HELLO WORLD" in version 1 with medium correction.
    @Test func correctionIsTheRemainderOfADivision() throws {
        let data: [UInt8] = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
        #expect(Payload("HELLO WORLD").codewords(in: Version.all[0], filling: 16) == data)
        let correction = ReedSolomon(10).correction(of: data)
        #expect(correction == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
        // A multiple of the generator is zero at each of the generator's roots.
        var root: UInt8 = 1
        for _ in 0..<10 {
            #expect((data + correction).reduce(0) { ReedSolomon.multiply($0, root) ^ $1 } == 0)
            root = ReedSolomon.multiply(root, 2)
        }
    }

    /// Longer blocks come last, and their last bytes follow all others (ISO/IEC 18004, 7.6).
    @Test func blocksAreInterleaved() {
        let data = (0..<62).map { UInt8($0) }
        let placed = Version.all[4].interleaved(data, .quartile)
        #expect(placed.count == 134)
        #expect(placed.prefix(5) == [0, 15, 30, 46, 1])
        #expect(placed[56..<62] == [14, 29, 44, 60, 45, 61])
        let corrections = [0..<15, 15..<30, 30..<46, 46..<62].map { ReedSolomon(18).correction(of: Array(data[$0])) }
        #expect(Array(placed.dropFirst(62)) == (0..<18).flatMap { index in corrections.map { $0[index] } })
    }

    @Test func terminalTextMatchesTheSymbolWithAndWithoutColors() throws {
        let symbol = try QRSymbol("x")
        let colored = symbol.terminalText().split(separator: "\n")
        let plain = symbol.terminalText(hasColors: false).split(separator: "\n")
        #expect(colored.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        #expect(colored.count == 15)
        #expect(plain.count == 15)
        for (text, line) in plain.enumerated() {
            #expect(line.count == 29)
            for (column, character) in line.enumerated() {
                let light: (Bool, Bool) =
                    switch character {
                    case "█": (true, true)
                    case "▀": (true, false)
                    case "▄": (false, true)
                    default: (false, false)
                    }
                #expect(light == (!symbol[text * 2 - 4, column - 4], !symbol[text * 2 - 3, column - 4]))
            }
        }
    }

    private func drawing(of symbol: QRSymbol, _ row: Int, _ column: Int, _ size: Int) -> [String] {
        (row..<row + size).map { row in
            (column..<column + size).map { symbol[row, $0] ? "#" : "." }.joined()
        }
    }
}

/// A text that fills `version` completely.
func fillingText(_ version: Version, _ correction: QRSymbol.Correction) -> String {
    let header = version.number < 10 ? 12 : 20
    return String(repeating: "pager 2077! ", count: 24).prefix((version.dataCount(correction) * 8 - header) / 8).description
}
