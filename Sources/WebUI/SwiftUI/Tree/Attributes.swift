/// A property of an element apart from its style. The raw value is the prop's name in `Docs/Protocols/WebUI.md`.
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
    /// Read out again when something in it changes.
    case live
    /// Not seen, only spoken.
    case speechOnly = "spoken"
    case transition = "tr"
    case hitTesting = "hit"
    /// What does the same on a keyboard as a tap, as `aria-keyshortcuts` has it.
    case keys
    /// The outline of a path, as `d` of SVG has it; in points, and not stretched.
    case outline = "d2"
    case inPoints = "pt"
    /// Seconds until a touch is a long press, unless 0.5; points until it is a drag, unless 10.
    case hold, slack
    case bleed
    case busy
    case lines, select
    case name = "n"
    /// What a field can be filled with.
    case autofill
    case look
    case controlSize = "big"
    case danger
    case href
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
    /// The number of the element inside that is to be in sight.
    case scrollTarget = "to"
    case chevron = "chev"
    case separator = "sep"
    case title, large, back
    case bar
    case noBack = "noback"
    case slot, badge
    /// No background of its own (a list).
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

/// The few attributes of one element, in the order they were set.
package struct Attributes: Equatable, Sendable, Sequence {
    // The value first: it takes less room so.
    private var entries: [(value: AttributeValue, name: AttributeName)] = []

    package init() {}

    package subscript(name: AttributeName) -> AttributeValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            let index = entries.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((value, name))
            case (nil, nil): break
            }
        }
    }

    /// Sets `name` to on, or removes it.
    package subscript(flag name: AttributeName) -> Bool {
        get { self[name] == .on }
        set { self[name] = newValue ? .on : nil }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Only these: what others than its renderer say about an element.
    func only(_ names: AttributeName...) -> Attributes {
        var result = Attributes()
        result.entries = entries.filter { names.contains($0.name) }
        return result
    }

    package func makeIterator() -> some IteratorProtocol<(name: AttributeName, value: AttributeValue)> {
        entries.lazy.map { (name: $0.name, value: $0.value) }.makeIterator()
    }

    /// Takes over what `other` has and this lacks.
    mutating func fill(from other: Attributes) {
        for (name, value) in other where self[name] == nil { entries.append((value, name)) }
    }

    package static func == (first: Self, second: Self) -> Bool {
        first.entries.count == second.entries.count
            && first.entries.allSatisfy { second[$0.name] == $0.value }
    }
}
