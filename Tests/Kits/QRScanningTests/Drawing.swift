import QRCode
import QRScanning

/// A white picture onto which symbols are drawn.
struct Drawing {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: 255, count: width * height)
    }

    /// One upright symbol with its quiet zone.
    init(_ text: String, dotsPerModule: Int = 4) throws {
        let side = (try QRSymbol(text).size + 8) * dotsPerModule
        self.init(width: side, height: side)
        try draw(text, dotsPerModule: Double(dotsPerModule))
    }

    /// Draws a symbol around a point.
    ///
    /// - Parameters:
    ///   - x: The centre from 0, left, to 1.
    ///   - y: The centre from 0, top, to 1.
    ///   - turn: The rotation as a cosine and a sine.
    mutating func draw(
        _ text: String, dotsPerModule: Double, x: Double = 0.5, y: Double = 0.5, turn: (cosine: Double, sine: Double) = (1, 0),
        dark: UInt8 = 0, light: UInt8 = 255
    ) throws {
        let symbol = try QRSymbol(text)
        let half = Double(symbol.size) / 2
        for row in 0..<height {
            for column in 0..<width {
                let right = (Double(column) + 0.5 - x * Double(width)) / dotsPerModule
                let down = (Double(row) + 0.5 - y * Double(height)) / dotsPerModule
                let along = right * turn.cosine + down * turn.sine + half
                let across = down * turn.cosine - right * turn.sine + half
                let edge = -4.0..<Double(symbol.size + 4)
                guard edge.contains(along), edge.contains(across) else { continue }
                let isDark = symbol[Int(across.rounded(.down)), Int(along.rounded(.down))]
                pixels[row * width + column] = isDark ? dark : light
            }
        }
    }

    /// Changes every pixel by a random amount of at most `grain`.
    mutating func addGrain(_ grain: Int, seed: UInt64) {
        var state = seed
        for index in pixels.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            pixels[index] = UInt8(clamping: Int(pixels[index]) + Int(state >> 33) % (2 * grain + 1) - grain)
        }
    }

    func picture() throws -> GreyscalePicture { try GreyscalePicture(width: width, height: height, pixels: pixels) }
}
