/// The axes on which an element fills the available space.
package struct LayoutFlags: OptionSet, Hashable, Sendable {
    private let bits: UInt8
    package var rawValue: Int { Int(bits) }
    package init(rawValue: Int) { bits = UInt8(truncatingIfNeeded: rawValue) }

    package static let width = LayoutFlags(rawValue: 1)
    package static let height = LayoutFlags(rawValue: 2)
    package static let both: LayoutFlags = [.width, .height]
}

/// The origin of an element's layout flags: its own, and those of its children within `passes`.
package struct LayoutRule: Equatable, Sendable {
    package var own: LayoutFlags
    package var passes: LayoutFlags

    /// Fills the axes that the content fills.
    package static let content = LayoutRule(own: [], passes: .both)
    /// Fills no axis.
    package static let hugging = LayoutRule(own: [], passes: [])
    /// Fills both axes.
    package static let filling = LayoutRule(own: .both, passes: [])
    /// Fills the width only.
    package static let wide = LayoutRule(own: .width, passes: [])
}
