/// A property of an element apart from its style. The raw value is the name of the prop in `Docs/Protocols/WebUI.md`.
package enum AttributeName: String, Sendable {
    case text = "t"
    case value = "val"
    case placeholder = "ph"
    case disabled = "d"
    case events = "on"
    case identifier = "id"
    case accessibilityLabel = "l"
    case accessibilityHint = "hint"
    case accessibilityValue = "v"
    case accessibilityHidden = "h"
    case role = "r"
    case headingLevel = "lv"
    case selected = "sel"
    case colorScheme = "scheme"
    /// The ``PageReach`` during which the element is shown. Without the attribute, the element is always shown.
    case reach
    /// True if the element is for screen readers only.
    case speechOnly = "spoken"
    case transition = "tr"
    case hitTesting = "hit"
    /// The keyboard shortcuts that tap the element, in the form of `aria-keyshortcuts`.
    case keys
    /// The outline of a path in the syntax of `d` in SVG: in points with ``inPoints``, otherwise in hundredths of the sides.
    case outline = "d2"
    case inPoints = "pt"
    /// The effect of a long press on a control's tap: `beside` keeps it, `first` cancels it. By default there is no long press.
    case longPress = "long"
    /// The duration of a long press in seconds (0.5 by default), and the distance of a drag in points (10 by default).
    case hold, slack
    /// The change of scale at which a pinch begins (0.01 by default).
    case delta
    case bleed
    case busy
    case lines, select
    case name = "n"
    /// The content type for autofill.
    case autofill
    case look
    case controlSize = "big"
    case danger
    case href
    /// The URL of a picture that the box serves.
    case source = "src"
    case fieldType = "type"
    case inputMode = "mode"
    case capitalization = "caps"
    case correction = "fix"
    case submitLabel = "enter"
    case multiline = "multi"
    case minimumLines = "min"
    case maximumLines = "max"
    case focused = "focus"
    case restorationKey = "key"
    case fraction, axis, bars, stick
    /// The id of the descendant to scroll to.
    case scrollTarget = "to"
    /// The edge of the scrolling view for the descendant: `start`, `center` or `end`. Without the attribute, the nearest.
    case scrollAlignment = "align"
    /// The edge at which the view of a scroll position is: `start`, `center` or `end`.
    case position = "at"
    /// True if the children are the targets of a scroll position.
    case targets
    /// Count of rows that a gap represents.
    case rowCount = "rows"
    /// True if the content of a disclosure or a menu is shown.
    case expanded = "exp"
    case chevron = "chev"
    case separator = "sep"
    case title, large, back
    case bar
    /// False if the tab bar is hidden while the page is shown.
    case tabBar = "tabbar"
    case noBack = "noback"
    case slot, badge
    /// True if the list has no background.
    case clearBackground = "clear"
    case detents, grab, cover, stay, cancel
}

/// The value of an attribute.
package enum AttributeValue: Equatable, Sendable {
    case text(String)
    case number(Double)
    case on
    case off
    case list([String])

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension AttributeValue: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
}

/// The attributes of one element, in the order in which they were set. A list, since there are few.
package struct Attributes: Equatable, Sendable, Sequence {
    private struct Entry {
        // The value first, which makes the entry smaller.
        var value: AttributeValue
        let name: AttributeName
    }
    private var entries: [Entry] = []

    package init() {}

    package subscript(name: AttributeName) -> AttributeValue? {
        get { index(of: name).map { entries[$0].value } }
        set {
            let index = index(of: name)
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(value: value, name: name))
            case (nil, nil): break
            }
        }
    }

    /// Returns the index of an attribute. A plain loop, because a closure makes this most frequent look-up slow in debug builds.
    private func index(of name: AttributeName) -> Int? {
        var index = 0
        while index < entries.count {
            if entries[index].name == name { return index }
            index += 1
        }
        return nil
    }

    /// The flag `name`: true if it is on. Setting it to false removes it.
    package subscript(flag name: AttributeName) -> Bool {
        get { self[name] == .on }
        set { self[name] = newValue ? .on : nil }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Returns the attributes with these names.
    func only(_ names: AttributeName...) -> Attributes {
        var result = Attributes()
        result.entries = entries.filter { names.contains($0.name) }
        return result
    }

    package func makeIterator() -> some IteratorProtocol<(name: AttributeName, value: AttributeValue)> {
        entries.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }

    /// Adds the attributes of `other` that are missing here.
    mutating func fill(from other: Attributes) {
        for (name, value) in other where self[name] == nil { entries.append(Entry(value: value, name: name)) }
    }

    package static func == (first: Self, second: Self) -> Bool {
        first.entries.count == second.entries.count
            && first.entries.allSatisfy { second[$0.name] == $0.value }
    }
}
