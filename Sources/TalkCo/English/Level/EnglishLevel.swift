/// A level of the Common European Framework of Reference for Languages.
package enum EnglishLevel: String, CaseIterable, Comparable, Sendable {
    case a1 = "A1"
    case a2 = "A2"
    case b1 = "B1"
    case b2 = "B2"
    case c1 = "C1"
    case c2 = "C2"

    package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
