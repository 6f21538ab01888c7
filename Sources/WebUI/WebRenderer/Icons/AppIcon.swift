import Foundation

/// The icon of an app: cables, the first of them between two plugs, or the dots of a display, in one colour on another. An app that
/// brings none gets one that is drawn from its name.
public struct AppIcon: Sendable {
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
    /// From a dot to the next, and how much of that is seen of it.
    static let dotStep = 3
    static let dotSide = 2.6
    /// How much of a faint cable is seen.
    static let faintness = 0.55

    /// 0xRRGGBB.
    let color: Int
    /// What is drawn with, 0xRRGGBB.
    let ink: Int
    let cables: [Cable]
    /// Upper left corners of the dots.
    let dots: [Point]

    /// The box's own.
    static let box = AppIcon(
        color: 0x22477f,
        cables: [
            Cable(points: [Point(x: 16, y: 24), Point(x: 28, y: 24), Point(x: 36, y: 40), Point(x: 48, y: 40)]),
            Cable(points: [Point(x: 16, y: 40), Point(x: 26, y: 40)], isFaint: true),
            Cable(points: [Point(x: 38, y: 24), Point(x: 48, y: 24)], isFaint: true),
        ])

    private static let colors = [0x6b3fa0, 0x0f6b6b, 0x9a3412, 0x8a2150, 0x7a5a10, 0x3f4a5a, 0xa02c2c, 0x45592a]

    private init(color: Int, ink: Int = 0xffffff, cables: [Cable], dots: [Point] = []) {
        self.color = color
        self.ink = ink
        self.cables = cables
        self.dots = dots
    }

    /// White cables on a colour.
    ///
    /// - Parameters:
    ///   - color: 0xRRGGBB; dark enough for white upon it.
    ///   - cables: Each the points that it leads through, from 0 to 64 and y downwards: `"16,24 48,40"`. The first has plugs at its ends.
    ///     Android shows no more than a circle of 80 % of the side for sure: what is drawn should fit.
    public init(color: Int, cables: [String]) {
        self.init(
            color: color,
            cables: cables.map { cable in
                let points = cable.split(separator: " ").map { $0.split(separator: ",").compactMap { Int($0) } }
                return Cable(points: points.compactMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil })
            })
    }

    /// A display with some of its dots dark, or light.
    ///
    /// - Parameters:
    ///   - color: Of the display, 0xRRGGBB.
    ///   - ink: Of the dots, 0xRRGGBB.
    ///   - rows: `#` for each dot, at most 13 of them in at most 12 rows, so that they fit like cables.
    public init(color: Int, ink: Int, rows: [String]) {
        let width = rows.map(\.count).max() ?? 0
        let (left, top) = ((Self.side - width * Self.dotStep) / 2, (Self.side - rows.count * Self.dotStep) / 2)
        let dots = rows.enumerated().flatMap { row, line in
            line.enumerated().filter { $0.element == "#" }.map {
                Point(x: left + $0.offset * Self.dotStep, y: top + row * Self.dotStep)
            }
        }
        self.init(color: color, ink: ink, cables: [], dots: dots)
    }

    /// The first letter of an app's name, in a colour that the name decides.
    init(app name: String) {
        let letter = name.first.flatMap { Self.letters[$0] } ?? ""
        // Four steps wide and six high, in the middle.
        self.init(
            color: Self.colors[name.utf8.reduce(0) { $0 + Int($1) } % Self.colors.count],
            cables: letter.split(separator: "|").map { line in
                Cable(
                    points: line.split(separator: " ").compactMap { Int($0) }.map {
                        Point(x: 20 + $0 / 10 * 6, y: 14 + $0 % 10 * 6)
                    })
            })
    }

    /// Where the plugs are.
    var plugs: [Point] { [cables.first?.points.first, cables.first?.points.last].compactMap(\.self) }

    /// The colour as CSS has it.
    var cssColor: String { Self.css(color) }

    static func css(_ color: Int) -> String { "#" + String(0x1000000 | color, radix: 16).dropFirst() }

    var svg: String {
        let paths = cables.map { cable in
            let points = cable.points.map { "\($0.x) \($0.y)" }.joined(separator: "L")
            return #"<path d="M\#(points)"\#(cable.isFaint ? #" opacity="\#(Self.faintness)""# : "")/>"#
        }
        let circles = plugs.map { #"<circle cx="\#($0.x)" cy="\#($0.y)" r="\#(Self.plugRadius)"/>"# }
        let squares = dots.map { #"<path d="M\#($0.x) \#($0.y)h\#(Self.dotSide)v\#(Self.dotSide)h-\#(Self.dotSide)z"/>"# }
        let ink = Self.css(self.ink)
        let stroke = ##"stroke="\##(ink)" stroke-width="\##(Self.cableWidth)" stroke-linecap="round" stroke-linejoin="round""##
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.side) \(Self.side)">
            <rect width="\(Self.side)" height="\(Self.side)" rx="\(Self.cornerRadius)" fill="\(cssColor)"/>
            <g fill="none" \(stroke)>\(paths.joined())</g>
            <g fill="\(ink)">\((circles + squares).joined())</g>
            </svg>

            """
    }
}
