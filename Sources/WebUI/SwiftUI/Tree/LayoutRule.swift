/// Which axes an element wants all the room on.
package struct LayoutFlags: OptionSet, Hashable, Sendable {
    private let bits: UInt8
    package var rawValue: Int { Int(bits) }
    package init(rawValue: Int) { bits = UInt8(truncatingIfNeeded: rawValue) }

    package static let width = LayoutFlags(rawValue: 1)
    package static let height = LayoutFlags(rawValue: 2)
    package static let both: LayoutFlags = [.width, .height]
}

/// How an element's wish for room comes about: its own, and as much of its children's as `passes` lets through.
package struct LayoutRule: Equatable, Sendable {
    package var own: LayoutFlags
    package var passes: LayoutFlags

    /// As its content wants.
    package static let content = LayoutRule(own: [], passes: .both)
    /// Never more than it needs.
    package static let hugging = LayoutRule(own: [], passes: [])
    /// All there is.
    package static let filling = LayoutRule(own: .both, passes: [])
    /// All width, as high as needed.
    package static let wide = LayoutRule(own: .width, passes: [])
}
