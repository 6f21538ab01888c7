import Foundation

extension AppIcon {
    /// The icon as a PNG of `size` × `size` pixels.
    ///
    /// - Parameter isRounded: Whether the corners are cut off, or left to whoever shows it.
    func png(size: Int, isRounded: Bool) -> Data {
        func channels(_ color: Int) -> [Int] { [color >> 16, color >> 8, color].map { $0 & 255 } }
        let (ground, ink) = (channels(color), channels(self.ink))
        // The lower half of the palette goes from the background to the ink, the upper half lets it fade away.
        let palette = (0..<256).map { index in
            index < 128
                ? PNG.Color(zip(ground, ink).map { $0 + ($1 - $0) * index / 127 }, alpha: 255)
                : PNG.Color(ground, alpha: 255 - (index - 128) * 255 / 127)
        }
        return PNG.file(side: size, pixels: pixels(size: size, isRounded: isRounded), palette: palette)
    }

    private func pixels(size: Int, isRounded: Bool) -> [UInt8] {
        let scale = Double(size) / Double(Self.side)
        var pixels = [UInt8](repeating: 0, count: size * size)

        /// The pixels from one place to another, as far as they are on the picture.
        func span(_ from: Double, _ to: Double) -> Range<Int> {
            let start = Int(min(max(from, 0), Double(size)))
            return start..<Int(min(max(to.rounded(.up), Double(start)), Double(size)))
        }

        /// All points that are no further than `radius` from the line from `start` to `end`.
        func stroke(from start: Point, to end: Point, radius: Double, strength: Double) {
            let (x, y) = (Double(start.x) * scale, Double(start.y) * scale)
            let (dx, dy) = (Double(end.x) * scale - x, Double(end.y) * scale - y)
            let length = dx * dx + dy * dy
            func range(_ from: Double, _ to: Double) -> Range<Int> {
                span(min(from, to) - radius - 1, max(from, to) + radius + 1)
            }
            for row in range(y, y + dy) {
                for column in range(x, x + dx) {
                    let (px, py) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
                    let along = length == 0 ? 0 : min(1, max(0, (px * dx + py * dy) / length))
                    let (ox, oy) = (px - along * dx, py - along * dy)
                    let inside = min(1, max(0, radius + 0.5 - (ox * ox + oy * oy).squareRoot()))
                    pixels[row * size + column] = max(pixels[row * size + column], UInt8(inside * strength * 127))
                }
            }
        }

        for cable in cables {
            for (start, end) in zip(cable.points, cable.points.dropFirst()) {
                stroke(
                    from: start, to: end, radius: Double(Self.cableWidth) / 2 * scale, strength: cable.isFaint ? Self.faintness : 1)
            }
        }
        /// A square, its edges as faint as they cover a pixel little.
        func fill(from corner: Point, side: Double) {
            let (left, top) = (Double(corner.x) * scale, Double(corner.y) * scale)
            let (right, bottom) = (left + side * scale, top + side * scale)
            for row in span(top, bottom) {
                for column in span(left, right) {
                    let wide = min(right, Double(column) + 1) - max(left, Double(column))
                    let high = min(bottom, Double(row) + 1) - max(top, Double(row))
                    pixels[row * size + column] = max(pixels[row * size + column], UInt8(wide * high * 127))
                }
            }
        }

        for dot in dots { fill(from: dot, side: Self.dotSide) }
        for plug in plugs { stroke(from: plug, to: plug, radius: Double(Self.plugRadius) * scale, strength: 1) }
        if isRounded { cutCorners(of: &pixels, size: size, radius: Double(Self.cornerRadius) * scale) }
        return pixels
    }

    private func cutCorners(of pixels: inout [UInt8], size: Int, radius: Double) {
        for row in 0..<Int(radius) {
            for column in 0..<Int(radius) {
                let (x, y) = (radius - Double(column) - 0.5, radius - Double(row) - 0.5)
                let outside = min(1, max(0, (x * x + y * y).squareRoot() - radius + 0.5))
                guard outside > 0 else { continue }
                for y in [row, size - 1 - row] {
                    for x in [column, size - 1 - column] { pixels[y * size + x] = 128 + UInt8(outside * 127) }
                }
            }
        }
    }
}
