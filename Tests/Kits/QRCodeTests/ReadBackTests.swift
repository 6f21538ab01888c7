import Foundation
import TestKit
import Testing

@testable import QRCode

/// Reads symbols with an independent implementation, Debian's `zbarimg`.
@Suite struct ReadBackTests {
    @Test(arguments: QRSymbol.Correction.allCases)
    func everyVersionIsReadable(_ correction: QRSymbol.Correction) async throws {
        let texts = Version.all.map { fillingText($0, correction) }
        #expect(try texts.map { try QRSymbol($0, correction: correction).size } == Version.all.map(\.size))
        #expect(try await read(texts, correction) == texts)
    }

    @Test(arguments: QRSymbol.Correction.allCases)
    func alphanumericTextsAreReadable(_ correction: QRSymbol.Correction) async throws {
        let alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
        let texts = [1, 2, 3, 9, 16, 25, 44, 45, 77, 100, 131, 160, 173, 174].map { length in
            "A" + String(repeating: alphabet, count: 4).dropFirst(length % 9).prefix(length - 1)
        }
        #expect(try await read(texts, correction) == texts)
    }

    @Test func textsInManyScriptsAreReadable() async throws {
        let texts = [
            "a", "0", " a", "{\"pager\":\"1A2B\",\"key\":[1,2]}", "https://box.example/pager2077/#k=4f3a&n=Ada%20L",
            "Grüße aus Köln", "ça va très bien, señor", "서울에서 만나요 2077", "日本語のテキスト", "привет, мир", "ελληνικά",
            "مرحبا بالعالم", "📟 call me 🔋", "👩‍👩‍👧‍👦", "naïve café ½ €", "\u{1}\u{7F}", "e\u{301}",
        ]
        for correction in QRSymbol.Correction.allCases {
            #expect(try await read(texts, correction) == texts)
        }
    }

    @Test(arguments: QRSymbol.Correction.allCases)
    func randomTextsAreReadable(_ correction: QRSymbol.Correction) async throws {
        var generator = SeededGenerator(seed: 2077)
        let ascii = (0x20...0x7E).map { Character(Unicode.Scalar($0)) }
        let wide = ascii + (0xAC00...0xAC80).map { Character(Unicode.Scalar($0)!) } + Array("äöüßéñ₩€📟")
        for _ in 0..<Effort.count(2, soak: 20) {
            let texts = (0..<25).map { turn in
                // An empty text would be invisible in the output.
                let length = Int.random(in: 0...(turn % 2 == 0 ? 110 : 28), using: &generator)
                let alphabet = turn % 2 == 0 ? ascii : wide
                return String((0..<length).reduce(into: "p") { text, _ in text.append(alphabet.randomElement(using: &generator)!) })
            }
            #expect(try await read(texts, correction) == texts)
        }
    }

    /// All masks must be correct, not only the best one for a text.
    @Test func everyMaskIsReadable() async throws {
        let version = Version.all[6]
        let data = Payload("one of eight").codewords(in: version, filling: version.dataCount(.medium))
        var grid = ModuleGrid(version)
        grid.place(version.interleaved(data, .medium))
        let images = (0..<8).map { mask in
            let masked = grid.masked(by: mask, .medium)
            return Self.image(size: masked.size) { masked[$0, $1] }
        }
        #expect(try await read(images) == Array(repeating: "one of eight", count: 8))
    }

    /// Damage in one corner, as by a thumb, is corrected.
    @Test func damagedSymbolIsReadable() async throws {
        let text = "https://box.example/pager2077/#1A2B"
        let symbol = try QRSymbol(text, correction: .high)
        let damaged = Self.image(size: symbol.size) { row, column in
            symbol[row, column] != (row > symbol.size - 6 && column > symbol.size - 8)
        }
        #expect(try await read([damaged]) == [text])
    }

    private func read(_ texts: [String], _ correction: QRSymbol.Correction) async throws -> [String] {
        try await read(
            texts.map { text in
                let symbol = try QRSymbol(text, correction: correction)
                return Self.image(size: symbol.size) { symbol[$0, $1] }
            })
    }

    /// Returns the texts that `zbarimg` reads in the images, in order. Unreadable images are left out.
    private func read(_ images: [Data]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let files = try images.enumerated().map { number, image in
            let file = folder.file("\(number).pgm")
            try image.write(to: URL(filePath: file))
            return file
        }
        let options = ["--quiet", "--nodbus", "--raw", "--set", "*.enable=0", "--set", "qrcode.enable=1"]
        let ending = try await Program.tool("/usr/bin/zbarimg", options + files)
        return ending.output.split(separator: "\n").map(String.init)
    }

    /// A greyscale image (PGM) with three pixels per module and a quiet zone.
    private static func image(size: Int, isDark: (_ row: Int, _ column: Int) -> Bool) -> Data {
        let (dots, quiet) = (3, 4)
        let side = (size + 2 * quiet) * dots
        var image = Data("P5 \(side) \(side) 255\n".utf8)
        for row in -quiet..<size + quiet {
            let line = (-quiet..<size + quiet).flatMap { column in
                let isInside = (0..<size).contains(row) && (0..<size).contains(column)
                return [UInt8](repeating: isInside && isDark(row, column) ? 0 : 255, count: dots)
            }
            for _ in 0..<dots { image += line }
        }
        return image
    }
}
