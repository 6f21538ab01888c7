import SwiftUI

/// Styles, sizes, roles, disabled buttons, and a custom style.
struct ButtonPage: View {
    @State private var last = "none"
    @State private var taps = 0
    @State private var isDisabled = true

    var body: some View {
        List {
            Section {
                ValueRow("Last", last, identifier: "last")
                ValueRow("Taps", "\(taps)", identifier: "taps")
            }
            Section("In a row") {
                button("Row")
                Button("Delete", role: .destructive) { note("Delete") }
                Button("With a symbol", systemImage: "plus") { note("With a symbol") }
            }
            Section("Styles") { styles }
            Section("Sizes") { sizes }
            Section("Disabled") {
                Toggle("Disabled", isOn: $isDisabled)
                button("Disabled row").disabled(isDisabled)
                button("Disabled bordered").buttonStyle(.bordered).disabled(isDisabled)
                button("Disabled prominent").buttonStyle(.borderedProminent).disabled(isDisabled)
            }
            Section("A style of one's own") {
                button("Custom").buttonStyle(BubbleButtonStyle())
            }
        }
    }

    @ViewBuilder private var styles: some View {
        button("Plain").buttonStyle(.plain)
        button("Borderless").buttonStyle(.borderless)
        button("Bordered").buttonStyle(.bordered)
        button("Prominent").buttonStyle(.borderedProminent)
        button("Tinted").buttonStyle(.borderedProminent).tint(.orange)
        Button("Bordered delete", role: .destructive) { note("Bordered delete") }.buttonStyle(.bordered)
    }

    @ViewBuilder private var sizes: some View {
        button("Mini").buttonStyle(.bordered).controlSize(.mini)
        button("Small").buttonStyle(.bordered).controlSize(.small)
        button("Regular").buttonStyle(.bordered).controlSize(.regular)
        button("Large").buttonStyle(.bordered).controlSize(.large)
        Button {
            note("Wide")
        } label: {
            Text("Wide").frame(maxWidth: .infinity)
        }
        .buttonStyle(.borderedProminent)
        .controlSize(.large)
    }

    private func button(_ title: String) -> some View { Button(title) { note(title) } }

    private func note(_ title: String) {
        last = title
        taps += 1
    }
}

/// A bubble that shrinks under the finger.
private struct BubbleButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        let color: Color = configuration.isPressed ? .indigo : .purple
        HStack {
            configuration.label
            Text(configuration.isPressed ? "pressed" : "not pressed").font(.caption)
        }
        .padding(.horizontal, 16)
        .padding(.vertical, 10)
        .foregroundStyle(.white)
        .background(color, in: Capsule())
        .scaleEffect(configuration.isPressed ? 0.94 : 1)
        .animation(.easeOut(duration: 0.15), value: configuration.isPressed)
    }
}
