/// A key of a keyboard.
public struct KeyEquivalent: Hashable, Sendable {
    public var character: Character
    public init(_ character: Character) { self.character = character }

    // The characters of these keys on Apple's systems.
    public static let upArrow = KeyEquivalent("\u{F700}")
    public static let downArrow = KeyEquivalent("\u{F701}")
    public static let leftArrow = KeyEquivalent("\u{F702}")
    public static let rightArrow = KeyEquivalent("\u{F703}")
    public static let escape = KeyEquivalent("\u{1B}")
    /// The key that deletes backwards.
    public static let delete = KeyEquivalent("\u{8}")
    public static let tab = KeyEquivalent("\t")
    public static let space = KeyEquivalent(" ")
    public static let `return` = KeyEquivalent("\r")
}

extension KeyEquivalent: ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral: Character) { self.init(extendedGraphemeClusterLiteral) }
}

/// The modifier keys of a shortcut.
public struct EventModifiers: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let capsLock = EventModifiers(rawValue: 1)
    public static let shift = EventModifiers(rawValue: 2)
    public static let control = EventModifiers(rawValue: 4)
    public static let option = EventModifiers(rawValue: 8)
    public static let command = EventModifiers(rawValue: 16)
    public static let numericPad = EventModifiers(rawValue: 32)
    public static let all = EventModifiers(rawValue: 63)
}

/// A combination of keys that taps a control.
public struct KeyboardShortcut: Hashable, Sendable {
    public var key: KeyEquivalent
    public var modifiers: EventModifiers
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        self.key = key
        self.modifiers = modifiers
    }
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])
}

extension KeyboardShortcut {
    /// The keys in the form of `aria-keyshortcuts`, with the modifiers in a fixed order. A capital letter is the letter with Shift.
    var names: String {
        let isCapital = key.character.isUppercase
        let held: [(EventModifiers, String)] = [(.command, "Meta"), (.control, "Control"), (.option, "Alt"), (.shift, "Shift")]
        let modifiers = isCapital ? modifiers.union(.shift) : modifiers
        let name = Self.names[key.character] ?? (isCapital ? key.character.lowercased() : String(key.character))
        return (held.filter { modifiers.contains($0.0) }.map(\.1) + [name]).joined(separator: "+")
    }

    private static let names: [Character: String] = [
        KeyEquivalent.upArrow.character: "ArrowUp", KeyEquivalent.downArrow.character: "ArrowDown",
        KeyEquivalent.leftArrow.character: "ArrowLeft", KeyEquivalent.rightArrow.character: "ArrowRight",
        KeyEquivalent.escape.character: "Escape", KeyEquivalent.delete.character: "Backspace",
        KeyEquivalent.tab.character: "Tab", KeyEquivalent.space.character: "Space", KeyEquivalent.return.character: "Enter",
        "+": "Plus",
    ]
}

extension View {
    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        keyboardShortcut(KeyboardShortcut(key, modifiers: modifiers))
    }
    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { adjusting { $0.traits.shortcut = shortcut } }
    public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View { adjusting { $0.traits.shortcut = shortcut } }
}
