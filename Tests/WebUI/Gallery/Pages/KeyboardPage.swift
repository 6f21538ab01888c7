import SwiftUI

/// Keyboard shortcuts.
struct KeyboardPage: View {
    @State private var typed = ""
    @State private var sent = "nothing"
    @State private var place = 0
    @State private var isSilent = false
    @State private var isShown = false
    @State private var note = ""
    private let signs: [Character] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"]

    var body: some View {
        SamplePage {
            keypad
            Sample("Around them") {
                ValueRow("Place", "\(place)", identifier: "keyPlace")
                HStack {
                    Button("Left", systemImage: "chevron.left") { place -= 1 }.keyboardShortcut(.leftArrow, modifiers: [])
                    Button("Right", systemImage: "chevron.right") { place += 1 }.keyboardShortcut(.rightArrow, modifiers: [])
                    Button("Never") { place = 99 }.keyboardShortcut("n", modifiers: []).disabled(true)
                }
                Toggle("Silent, with Command and M", isOn: $isSilent).keyboardShortcut("m")
                TextField("Has plain keys for itself", text: $note).textFieldStyle(.roundedBorder)
                Button("A sheet, with Shift and S") { isShown = true }.keyboardShortcut("s", modifiers: .shift)
            }
            .buttonStyle(.bordered)
        }
        .sheet(isPresented: $isShown) { sheet }
    }

    private var keypad: some View {
        Sample("A keypad") {
            ValueRow("Typed", typed, identifier: "typed")
            ValueRow("Sent", sent, identifier: "sent")
            LazyVGrid(columns: Array(repeating: GridItem(.flexible(), spacing: 8), count: 3), spacing: 8) {
                ForEach(signs, id: \.self) { sign in
                    wide(String(sign)) { typed.append(sign) }.keyboardShortcut(KeyEquivalent(sign), modifiers: [])
                }
                wide("Clear") { typed = "" }.keyboardShortcut(.cancelAction)
                wide("Delete") { typed = String(typed.dropLast()) }.keyboardShortcut(.delete, modifiers: [])
                wide("Send") { sent = typed }.keyboardShortcut(.defaultAction)
            }
            .buttonStyle(.bordered)
            .controlSize(.large)
        }
    }

    private var sheet: some View {
        VStack(spacing: 16) {
            Text("Only what is here takes keys.")
            Button("Send from the sheet") {
                sent = "from the sheet"
                isShown = false
            }
            .keyboardShortcut(.defaultAction)
            Button("Cancel") {
                sent = "cancelled"
                isShown = false
            }
            .keyboardShortcut(.cancelAction)
        }
        .presentationDetents([.medium])
    }

    private func wide(_ title: String, action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Text(title).frame(maxWidth: .infinity) }
    }
}
