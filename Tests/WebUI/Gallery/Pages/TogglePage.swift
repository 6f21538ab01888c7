import SwiftUI

/// Switches.
struct TogglePage: View {
    @State private var isOn = false
    @State private var hasSymbol = true
    @State private var isTinted = true
    @State private var isAlone = false

    var body: some View {
        List {
            Section {
                Toggle("Plain", isOn: $isOn)
                ValueRow("Plain is", isOn ? "on" : "off", identifier: "plain")
                Button("Change it from outside") { isOn.toggle() }
            }
            Section("Looks") {
                Toggle("With a symbol", systemImage: "bell.fill", isOn: $hasSymbol)
                Toggle("Tinted", isOn: $isTinted).tint(.orange)
                Toggle(isOn: $hasSymbol) {
                    VStack(alignment: .leading) {
                        Text("Two lines")
                        Text("The same state as the one with a symbol").font(.footnote).foregroundStyle(.secondary)
                    }
                }
                HStack {
                    Text("Label hidden")
                    Spacer()
                    Toggle("Alone", isOn: $isAlone).labelsHidden()
                }
            }
            Section("Disabled") {
                Toggle("Off", isOn: .constant(false)).disabled(true)
                Toggle("On", isOn: .constant(true)).disabled(true)
            }
        }
    }
}
