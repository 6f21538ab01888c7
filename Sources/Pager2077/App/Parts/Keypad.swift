import SwiftUI
import ViewKit

/// The keypad: CALL, END and twelve keys.
struct Keypad: View {
    let handset: Handset

    // White text on each has a contrast of at least 4.5:1.
    static let callColor = Color(red: 0.10, green: 0.45, blue: 0.20)
    static let endColor = Color(red: 0.72, green: 0.13, blue: 0.11)
    static let keyColor = Color(white: 0.26)
    static let lettersOpacity = 0.75
    static let arrowOpacity = 0.65

    var body: some View {
        // The keys get plain values, so that a typed letter changes none of them.
        let types = handset.alphabet != nil
        VStack(spacing: 8) {
            HStack(spacing: 8) {
                CommandKey(handset: handset, key: .call)
                CommandKey(handset: handset, key: .end)
            }
            ForEach(0..<3) { row in
                HStack(spacing: 8) {
                    ForEach(1..<4) { column in DigitKey(handset: handset, digit: row * 3 + column, types: types) }
                }
            }
            HStack(spacing: 8) {
                StarKey(handset: handset, types: types)
                DigitKey(handset: handset, digit: 0, types: types)
                HashKey(handset: handset, types: types, opensOptions: handset.hasOptions)
            }
        }
        .background { ArrowKeys(handset: handset) }
    }
}

/// The key CALL or END.
private struct CommandKey: View {
    let handset: Handset
    let key: Key

    var body: some View {
        let isCall = key == .call
        PadKey(title: isCall ? .lcd("CALL") : .lcd("END"), color: isCall ? Keypad.callColor : Keypad.endColor) {
            handset.press(key)
        }
        .keyboardShortcut(isCall ? .return : .escape, modifiers: [])
    }
}

/// The key of a digit. On screens with text entry a long press types the digit itself.
private struct DigitKey: View {
    let handset: Handset
    let digit: Int
    let types: Bool

    var body: some View {
        let title = Text(verbatim: "\(digit)")
        if types {
            HoldKey(title, holdWords: Text("TYPE \(digit)", bundle: .module)) {
                handset.press(.digit(digit))
            } hold: {
                handset.hold(digit)
            } label: {
                KeyFace(title: title, letters: Self.letters[digit], arrow: Self.arrows[digit])
                    .rubber(Keypad.keyColor, isPressed: $0)
            }
        } else {
            PadKey(title: title, letters: Self.letters[digit], arrow: Self.arrows[digit]) { handset.press(.digit(digit)) }
                .keyboardShortcut(.key(Character("\(digit)"), types: types))
        }
    }

    private static let letters = ["SPACE", ".,!?", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]
    private static let arrows = ["", "", "▲", "", "◀\u{FE0E}", "", "▶\u{FE0E}", "", "▼", ""]
}

private struct StarKey: View {
    let handset: Handset
    let types: Bool

    var body: some View {
        PadKey(title: Text(verbatim: "*"), letters: "A/a/1", label: Text("STAR, SWITCH LETTERS AND DIGITS", bundle: .module)) {
            handset.press(.star)
        }
        .keyboardShortcut(.key("*", types: types))
    }
}

private struct HashKey: View {
    let handset: Handset
    let types: Bool
    let opensOptions: Bool

    var body: some View {
        PadKey(
            title: Text(verbatim: "#"), letters: "DEL",
            label: opensOptions ? Text("HASH, OPTIONS", bundle: .module) : Text("HASH, DELETE", bundle: .module)
        ) {
            handset.press(.hash)
        }
        .keyboardShortcut(.key("#", types: types))
    }
}

extension KeyboardShortcut? {
    /// Returns the shortcut of a key; nil on screens with text entry, where a hardware keyboard types by itself.
    fileprivate static func key(_ character: Character, types: Bool) -> Self {
        types ? nil : KeyboardShortcut(KeyEquivalent(character), modifiers: [])
    }
}

/// Invisible buttons for the arrow keys of a hardware keyboard.
private struct ArrowKeys: View {
    let handset: Handset

    var body: some View {
        HStack(spacing: 0) {
            arrow(.upArrow, .up)
            arrow(.downArrow, .down)
            arrow(.leftArrow, .left)
            arrow(.rightArrow, .right)
        }
        .opacity(0)
        .accessibilityHidden(true)
    }

    private func arrow(_ equivalent: KeyEquivalent, _ key: Key) -> some View {
        Button {
            handset.press(key)
        } label: {
            Color.clear.frame(width: 1, height: 1)
        }
        .keyboardShortcut(equivalent, modifiers: [])
    }
}

/// A rubber key.
private struct PadKey: View {
    let title: Text
    var letters = ""
    var arrow = ""
    var color = Keypad.keyColor
    /// The accessibility label when it differs from the title.
    var label: Text?
    let action: @MainActor () -> Void

    var body: some View {
        Button(action: action) { KeyFace(title: title, letters: letters, arrow: arrow) }
            .buttonStyle(RubberKey(color: color))
            .accessibilityLabel(label ?? title)
    }
}

/// The print on a key.
private struct KeyFace: View {
    let title: Text
    let letters: String
    let arrow: String

    var body: some View {
        HStack(spacing: 6) {
            title.font(.title3.weight(.semibold))
            if !letters.isEmpty { Text(verbatim: letters).font(.caption2).opacity(Keypad.lettersOpacity) }
            if !arrow.isEmpty { Text(verbatim: arrow).font(.caption2).opacity(Keypad.arrowOpacity) }
        }
        .lineLimit(1)
        .frame(maxWidth: .infinity, minHeight: 44)
    }
}

private struct RubberKey: ButtonStyle {
    let color: Color

    func makeBody(configuration: Configuration) -> some View {
        configuration.label.rubber(color, isPressed: configuration.isPressed)
    }
}

extension View {
    /// Draws a rubber key below its print.
    fileprivate func rubber(_ color: Color, isPressed: Bool) -> some View {
        foregroundStyle(.white)
            .background(color.opacity(isPressed ? 0.6 : 1), in: RoundedRectangle(cornerRadius: 12))
            .overlay(alignment: .top) {
                Capsule().fill(Color.white.opacity(0.14)).frame(height: 2).padding(.horizontal, 10).padding(.top, 2)
                    .accessibilityHidden(true)
            }
            .shadow(color: .black.opacity(isPressed ? 0 : 0.5), radius: 2, y: isPressed ? 0 : 2)
            .offset(y: isPressed ? 1 : 0)
    }
}
