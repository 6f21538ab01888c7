import Pager2077Client
import Pager2077Wire
import SwiftUI
import ViewKit

/// The entry of a friend's code.
struct CodeEntry: View {
    @Bindable var handset: Handset

    var body: some View {
        Entry {
            Text.lcd("YOUR FRIEND'S HEX")
            Text(verbatim: paddedCode).font(LCD.large).tracking(2).accessibilityHidden(true)
            EntryField(handset: handset, prompt: "HEX")
            Text.lcd("2 = 2 A B C   3 = 3 D E F").font(LCD.small).foregroundStyle(LCD.faint)
        }
    }

    private var paddedCode: String {
        handset.text + String(repeating: "_", count: max(0, 8 - handset.text.count))
    }
}

/// The entry of the user's own code, which confirms a deletion.
struct DeletionEntry: View {
    @Bindable var handset: Handset

    var body: some View {
        Entry {
            Text.lcd("ENTER YOUR HEX TO ERASE THE ACCOUNT")
            if let code = handset.pager.me?.hexCode.rawValue { Text("HEX \(code)", bundle: .module).font(LCD.small) }
            EntryField(handset: handset, prompt: "HEX")
            Text.lcd("2 = 2 A B C   3 = 3 D E F").font(LCD.small).foregroundStyle(LCD.faint)
        }
    }
}

/// The entry of the user's name.
struct NameEntry: View {
    @Bindable var handset: Handset
    let isFirst: Bool

    var body: some View {
        Entry {
            Text.lcd(isFirst ? "NAME SHOWN TO FRIENDS" : "NEW NAME")
            EntryField(handset: handset, prompt: "NAME")
            Text.lcd("UP TO 20: A-Z 0-9 SPACE - _").font(LCD.small).foregroundStyle(LCD.faint)
            if isFirst, let code = handset.pager.me?.hexCode.rawValue {
                Text("WITHOUT A NAME THEY SEE HEX \(code)", bundle: .module).font(LCD.small)
            }
        }
    }
}

/// The layout of entry screens. Scrolls when large text does not fit the display.
private struct Entry<Content: View>: View {
    @ViewBuilder let content: () -> Content

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 12, content: content)
                .padding(.top, 8)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
    }
}

/// The text field for the keypad and for other keyboards.
struct EntryField: View {
    @Bindable var handset: Handset
    let prompt: LocalizedStringKey
    var isLong = false
    @FocusState private var isFocused: Bool

    var body: some View {
        HStack(spacing: 4) {
            field
                .textFieldStyle(.plain)
                .font(LCD.font)
                .autocorrectionDisabled()
                .textInputAutocapitalization(.characters)
                .fieldTouchArea($isFocused)
                .accessibilityLabel(Text(prompt, bundle: .module))
                .accessibilityIdentifier(identifier)
            if !isFocused { Text(verbatim: "▮").accessibilityHidden(true) }
            // Inverted, so that the mode does not look like typed text.
            if handset.alphabet != .code, !handset.isTyping {
                Text(verbatim: mode)
                    .font(LCD.small)
                    .foregroundStyle(LCD.lit)
                    .padding(.horizontal, 4)
                    .padding(.vertical, 2)
                    .background(LCD.ink, in: Rectangle())
                    .accessibilityHidden(true)
            }
        }
        .padding(.horizontal, 4)
        .frame(minHeight: 44)
        .border(LCD.ink, width: 2)
    }

    /// Return of every keyboard acts like CALL. In a field of several lines, an on-screen keyboard reports Return as a line feed.
    @ViewBuilder private var field: some View {
        let words = Text(prompt, bundle: .module).foregroundStyle(LCD.faint)
        if isLong {
            TextField("", text: $handset.text, prompt: words, axis: .vertical)
                .lineLimit(1...3)
                .submitLabel(.send)
                .onChange(of: handset.text) { old, new in handset.takeLineFeed(in: new, before: old) }
                .sendsWithReturn { handset.press(.call) }
        } else {
            TextField("", text: $handset.text, prompt: words)
                .submitLabel(.done)
                .onSubmit { handset.press(.call) }
        }
    }

    /// Identifies the field to the browser page, which restores unsent text after a restart of the box. Unique per friend, so that the text
    /// is restored for the same friend only.
    private var identifier: String {
        switch handset.screen {
        case .addFriend: "entry-code"
        case .deletionCode: "entry-deletion"
        case .chat(let friend): "entry-\(friend)"
        default: "entry-name"
        }
    }

    private var mode: String {
        switch handset.mode {
        case .upper: "ABC"
        case .lower: "abc"
        case .digits: "123"
        }
    }
}
