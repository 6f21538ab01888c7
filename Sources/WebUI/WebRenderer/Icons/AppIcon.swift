import Foundation

/// The icon of an app: cables, the first of them between two plugs, white on a colour. It is drawn from the app's name, so that every
/// app has one.
struct AppIcon: Sendable {
    /// On a square of 64 × 64; y grows downwards.
    struct Point: Sendable {
        var x: Int
        var y: Int
    }
    struct Cable: Sendable {
        var points: [Point]
        var isFaint = false
    }

    static let side = 64
    static let cornerRadius = 14
    static let cableWidth = 4
    static let plugRadius = 4
    /// How much of a faint cable is seen.
    static let faintness = 0.55

    /// 0xRRGGBB; dark enough for white upon it.
    let color: Int
    let cables: [Cable]

    /// The box's own.
    static let box = AppIcon(
        color: 0x22477f,
        cables: [
            Cable(points: [Point(x: 16, y: 24), Point(x: 28, y: 24), Point(x: 36, y: 40), Point(x: 48, y: 40)]),
            Cable(points: [Point(x: 16, y: 40), Point(x: 26, y: 40)], isFaint: true),
            Cable(points: [Point(x: 38, y: 24), Point(x: 48, y: 24)], isFaint: true),
        ])

    private static let colors = [0x6b3fa0, 0x0f6b6b, 0x9a3412, 0x8a2150, 0x7a5a10, 0x3f4a5a, 0xa02c2c, 0x45592a]

    private init(color: Int, cables: [Cable]) {
        self.color = color
        self.cables = cables
    }

    /// The first letter of an app's name, in a colour that the name decides.
    init(app name: String) {
        color = Self.colors[name.utf8.reduce(0) { $0 + Int($1) } % Self.colors.count]
        let letter = name.first.flatMap { Self.letters[$0] } ?? ""
        // Four steps wide and six high, in the middle. Android shows no more than a circle of 80 % of the side for sure: they fit.
        cables = letter.split(separator: "|").map { line in
            Cable(points: line.split(separator: " ").compactMap { Int($0) }.map { Point(x: 20 + $0 / 10 * 6, y: 14 + $0 % 10 * 6) })
        }
    }

    /// Where the plugs are.
    var plugs: [Point] { [cables.first?.points.first, cables.first?.points.last].compactMap(\.self) }

    /// The colour as CSS has it.
    var cssColor: String { "#" + String(0x1000000 | color, radix: 16).dropFirst() }

    var svg: String {
        let paths = cables.map { cable in
            let points = cable.points.map { "\($0.x) \($0.y)" }.joined(separator: "L")
            return #"<path d="M\#(points)"\#(cable.isFaint ? #" opacity="\#(Self.faintness)""# : "")/>"#
        }
        let circles = plugs.map { #"<circle cx="\#($0.x)" cy="\#($0.y)" r="\#(Self.plugRadius)"/>"# }
        let stroke = ##"stroke="#fff" stroke-width="\##(Self.cableWidth)" stroke-linecap="round" stroke-linejoin="round""##
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.side) \(Self.side)">
            <rect width="\(Self.side)" height="\(Self.side)" rx="\(Self.cornerRadius)" fill="\(cssColor)"/>
            <g fill="none" \(stroke)>\(paths.joined())</g>
            <g fill="#fff">\(circles.joined())</g>
            </svg>

            """
    }
}
