extension View {
    public func accessibilityLabel(_ label: Text) -> some View { spoken(.accessibilityLabel, label) }
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { spoken(.accessibilityLabel, Text(labelKey)) }
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { spoken(.accessibilityLabel, Text(label)) }

    public func accessibilityHint(_ hint: Text) -> some View { spoken(.accessibilityHint, hint) }
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { spoken(.accessibilityHint, Text(hintKey)) }
    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { spoken(.accessibilityHint, Text(hint)) }

    public func accessibilityValue(_ value: Text) -> some View { spoken(.accessibilityValue, value) }
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { spoken(.accessibilityValue, Text(valueKey)) }
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { spoken(.accessibilityValue, Text(value)) }

    private func spoken(_ name: AttributeName, _ text: Text) -> some View {
        adjusting { $0.traits.attributes[name] = .text(text.string(in: $0.environment)) }
    }

    public func accessibilityIdentifier(_ identifier: String) -> some View { attribute(.identifier, .text(identifier)) }
    public func accessibilityHidden(_ hidden: Bool) -> some View { attribute(.accessibilityHidden, hidden ? .on : nil) }

    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        adjusting { context in
            if let role = traits.role { context.traits.attributes[.role] = .text(role) }
            if traits.contains(.isSelected) { context.traits.attributes[.selected] = .on }
        }
    }
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
        adjusting { context in
            if traits.role != nil, context.traits.attributes[.role]?.text == traits.role { context.traits.attributes[.role] = nil }
            if traits.contains(.isSelected) { context.traits.attributes[.selected] = nil }
        }
    }
    public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
        adjusting {
            $0.traits.attributes[.role] = "header"
            if level.rawValue > 0 { $0.traits.attributes[.headingLevel] = .number(Double(level.rawValue)) }
        }
    }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        attribute(.role, children == .ignore ? "image" : "group")
    }
    /// Adds an action. Browsers perform `.escape` only: each back action runs it for one shown view, the last view first.
    public func accessibilityAction(
        _ actionKind: AccessibilityActionKind = .default, _ handler: @escaping (() -> Void)
    ) -> some View {
        adjusting { if actionKind == .escape { $0.traits.gestures.handlers[.escape] = { _ in handler() } } }
    }
    /// No effect here: a browser cannot offer actions with names.
    public func accessibilityAction(named name: Text, _ handler: @escaping () -> Void) -> some View { self }
    public func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }
}

/// The role of an element for assistive technology.
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let isButton = AccessibilityTraits(rawValue: 1)
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    public static let isLink = AccessibilityTraits(rawValue: 8)
    public static let isImage = AccessibilityTraits(rawValue: 16)
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    public static let isToggle = AccessibilityTraits(rawValue: 64)
    /// Announces nothing, as on Apple's systems. For announcements use ``AccessibilityNotification``.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)
    public static let isModal = AccessibilityTraits(rawValue: 256)

    fileprivate var role: String? {
        contains(.isHeader)
            ? "header" : contains(.isButton) ? "button" : contains(.isLink) ? "link" : contains(.isImage) ? "image" : nil
    }
}

/// A standard action of assistive technology.
public struct AccessibilityActionKind: Equatable, Sendable {
    private let name: String
    public static let `default` = AccessibilityActionKind(name: "default")
    /// Dismisses the current content.
    public static let escape = AccessibilityActionKind(name: "escape")
    public static let magicTap = AccessibilityActionKind(name: "magicTap")
}

public enum AccessibilityHeadingLevel: UInt, Sendable {
    case unspecified, h1, h2, h3, h4, h5, h6
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}
