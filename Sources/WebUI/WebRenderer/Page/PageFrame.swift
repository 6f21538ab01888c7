import Foundation
import SwiftUI
import WireKit

/// The first frame of a page.
package struct Hello: Decodable, Sendable {
    var session: String?
    var document: String
    var scheme: String?
    var languages: [String]?
    var timeZone: String?
    var width: Double?
    var height: Double?
    var active: Bool?
    var network: String?
    var keyboard: Bool?
    /// The page's `isSecureContext`.
    var secure: Bool?
    /// The scene values of an earlier tree, by key.
    var scene: [String: JSONValue]?
    /// The page's monotonic time, in milliseconds.
    var t: Double?

    package init(document: String) { self.document = document }

    /// The entries of ``scene`` with a supported type.
    var sceneValues: [String: SceneStore.Value] {
        (scene ?? [:]).compactMapValues { value in
            switch value {
            case .string(let text): .text(text)
            case .bool(let flag): .flag(flag)
            case .integer(let number): Int(exactly: number).map { .integer($0) }
            case .number(let number): .number(number)
            default: nil
            }
        }
    }
}

/// A frame from a page. A field of the wrong type makes the frame unreadable.
struct PageFrame: Decodable, Sendable {
    var hello: Hello?
    /// An event, with its element, value and sequence number.
    var e: String?
    var i: Int?
    var v: JSONValue?
    var s: Int?
    /// The page's monotonic time at the event, in milliseconds.
    var t: Double?
    /// True if the page requests an immediate frame, to distinguish an idle connection from a stalled one.
    var ping: Bool?
    /// The number of the request that this frame answers.
    var reply: Int?
    var error: String?

    init(_ text: String) throws { self = try WireJSON.decode(from: Data(text.utf8)) }

    /// The value of an event; `.none` for an unknown shape.
    var value: EventValue {
        switch v {
        case .string(let text): return .text(text)
        case .integer(let number): return .number(Double(number))
        case .number(let number): return .number(number.isFinite ? number : 0)
        case .object(let fields):
            func number(_ name: String) -> CGFloat {
                let number: Double =
                    switch fields[name] {
                    case .integer(let number): Double(number)
                    case .number(let number): number
                    default: 0
                    }
                // No screen is larger, and apps convert the value to integers.
                return min(max(number, -1e6), 1e6)
            }
            // Only a pinch has a magnification.
            if fields["m"] != nil {
                return .pinch(
                    PinchReport(
                        magnification: min(max(number("m"), 1e-3), 1e3), velocity: number("v"),
                        start: CGPoint(x: number("x"), y: number("y")),
                        anchor: UnitPoint(x: number("ax"), y: number("ay")), isOver: number("end") == 1))
            }
            return .drag(
                DragReport(
                    location: CGPoint(x: number("x"), y: number("y")), start: CGPoint(x: number("sx"), y: number("sy")),
                    velocity: CGSize(width: number("vx"), height: number("vy")), isOver: number("end") == 1))
        default: return .none
        }
    }
}
