import QRCode
import Testing

@testable import QRScanning

@Suite struct QRScannerTests {
    private let scanner = QRScanner()
    private let text = "localllm://8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92"

    @Test(arguments: ["a", "HTTPS://BOX.EXAMPLE/1", "https://box.example/#한국어", "{\"key\":[1,2]}", "e\u{301} 👩‍👩‍👧‍👦"])
    func textsAreRead(_ text: String) async throws {
        #expect(try await scanner.texts(in: Drawing(text).picture()) == [text])
    }

    @Test(arguments: [2, 3, 6, 8])
    func symbolsOfManySizesAreRead(_ dotsPerModule: Int) async throws {
        #expect(try await scanner.texts(in: Drawing(text, dotsPerModule: dotsPerModule).picture()) == [text])
    }

    @Test(arguments: [(0.0, 1.0), (-1, 0), (0, -1), (0.966, 0.259), (0.866, 0.5), (0.707, 0.707), (-0.5, 0.866)])
    func rotatedSymbolsAreRead(_ turn: (Double, Double)) async throws {
        var drawing = Drawing(width: 480, height: 400)
        try drawing.draw(text, dotsPerModule: 5, x: 0.55, y: 0.48, turn: turn)
        #expect(try await scanner.texts(in: drawing.picture()) == [text])
    }

    /// A camera in a dim room: less contrast, grain in every pixel.
    @Test(arguments: [4, 8, 12])
    func noisySymbolIsRead(_ grain: Int) async throws {
        var drawing = Drawing(width: 540, height: 480)
        try drawing.draw(text, dotsPerModule: 7, dark: 50, light: 200)
        drawing.addGrain(grain, seed: 17)
        #expect(try await scanner.texts(in: drawing.picture()) == [text])
    }

    @Test func twoSymbolsAreReadAndOneTextTwiceOnce() async throws {
        var drawing = Drawing(width: 600, height: 300)
        try drawing.draw("left", dotsPerModule: 6, x: 0.25)
        try drawing.draw("right", dotsPerModule: 6, x: 0.75)
        #expect(try await Set(scanner.texts(in: drawing.picture())) == ["left", "right"])
        try drawing.draw("left", dotsPerModule: 6, x: 0.75)
        #expect(try await scanner.texts(in: drawing.picture()) == ["left"])
    }

    @Test func picturesWithoutSymbolsHaveNoTexts() async throws {
        #expect(try await scanner.texts(in: Drawing(width: 512, height: 480).picture()).isEmpty)
        #expect(try await scanner.texts(in: Drawing(width: 21, height: 21).picture()).isEmpty)
        for seed in 0..<5 {
            var drawing = Drawing(width: 300, height: 300)
            drawing.addGrain(255, seed: UInt64(seed))
            #expect(try await scanner.texts(in: drawing.picture()).isEmpty)
        }
    }

    /// Half of a symbol is missing.
    @Test func incompleteSymbolIsNotRead() async throws {
        var drawing = try Drawing(text)
        for index in drawing.pixels.indices where index % drawing.width > drawing.width / 2 { drawing.pixels[index] = 255 }
        #expect(try await scanner.texts(in: drawing.picture()).isEmpty)
    }

    @Test func largestPicturesAreScanned() async throws {
        for (width, height) in [(512, 512), (12_483, 21), (21, 12_483)] {
            var drawing = Drawing(width: width, height: height)
            if width == height { try drawing.draw(text, dotsPerModule: 10) }
            #expect(try await scanner.texts(in: drawing.picture()) == (width == height ? [text] : []))
        }
    }

    /// Pictures full of the pattern that marks the corners of a symbol: every three of them might be one.
    @Test(arguments: [(1, 1), (1, 3), (2, 2), (3, 4), (8, 16)])
    func manyFinderPatternsAreSurvived(_ dots: Int, _ gap: Int) async throws {
        var drawing = Drawing(width: 512, height: 512)
        let period = 7 * dots + gap
        for index in drawing.pixels.indices {
            let (column, row) = (index % 512 % period / dots, index / 512 % period / dots)
            guard column < 7, row < 7 else { continue }
            if max(abs(column - 3), abs(row - 3)) != 2 { drawing.pixels[index] = 0 }
        }
        #expect(try await scanner.texts(in: drawing.picture()).isEmpty)
    }

    /// Symbols with rectangles painted over them, which reach the decoder with wrong formats, versions and codewords.
    @Test func damagedSymbolsAreReadCorrectlyOrNotAtAll() async throws {
        var state: UInt64 = 37
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var wrong: [[String]] = []
        for number in 0..<60 {
            var drawing = try Drawing(String(text.prefix(1 + number % text.count)), dotsPerModule: 3)
            for _ in 0...random(12) {
                let (x, y, brightness) = (random(drawing.width), random(drawing.height), UInt8(random(2) * 255))
                for row in y..<min(y + 1 + random(24), drawing.height) {
                    for column in x..<min(x + 1 + random(24), drawing.width) {
                        drawing.pixels[row * drawing.width + column] = brightness
                    }
                }
            }
            let texts = try await scanner.texts(in: drawing.picture())
            if !texts.allSatisfy({ $0 == text.prefix(1 + number % text.count) }) { wrong.append(texts) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        (0, 0, 0, GreyscalePictureError.tooSmall), (-1, -1, 1, .tooSmall), (20, 100, 2000, .tooSmall), (100, 0, 0, .tooSmall),
        (513, 512, 262_656, .tooLarge), (.max, .max, 1, .tooLarge), (.max, 21, 21, .tooLarge), (.min, 100, 0, .tooSmall),
        (100, 100, 9999, .wrongPixelCount), (100, 100, 10_001, .wrongPixelCount), (1 << 33, 1 << 31, 0, .tooLarge),
    ])
    func hostileSizesAreRefused(_ width: Int, _ height: Int, _ count: Int, _ error: GreyscalePictureError) {
        #expect(throws: error) {
            try GreyscalePicture(width: width, height: height, pixels: Array(repeating: 0, count: count))
        }
    }

    @Test func picturesAreScannedAtTheSameTime() async throws {
        try await withThrowingTaskGroup(of: (String, [String]).self) { group in
            for number in 0..<20 {
                group.addTask {
                    let text = "code \(number)"
                    return (text, try await QRScanner().texts(in: Drawing(text).picture()))
                }
            }
            for try await (text, texts) in group { #expect(texts == [text]) }
        }
    }
}
