import PlatformKit
import SwiftUI

/// The app's view of its page: keyboard, links, notifications, scene storage, escape actions.
struct PhonePage: View {
    @Environment(\.phone) private var phone
    @State private var note = ""
    @State private var opened = "nothing"
    @SceneStorage("count") private var count = 0
    @State private var levels = 0

    var body: some View {
        SamplePage {
            Sample("The keyboard of this page") {
                ValueRow("Keyboard", phone?.keyboard.isShown == true ? "shown" : "hidden", identifier: "keyboard")
                TextField("Something to type", text: $note).textFieldStyle(.roundedBorder)
            }
            Sample("Links into the app") {
                ValueRow("Opens this app", phone?.appLink?.absoluteString ?? "unknown", identifier: "appLink")
                ValueRow("Opened with", opened, identifier: "opened")
            }
            NotificationSample()
            Sample("Kept across a restart") {
                ValueRow("Count", "\(count)", identifier: "count")
                Button("Count") { count += 1 }.buttonStyle(.bordered)
            }
            Sample("Escape actions") {
                ValueRow("Levels", "\(levels)", identifier: "levels")
                HStack {
                    Button("One more") { levels += 1 }
                    Button("None") { levels = 0 }
                }
                .buttonStyle(.bordered)
            }
            .background {
                ForEach(0..<levels, id: \.self) { _ in
                    Color.clear.accessibilityAction(.escape) { levels -= 1 }
                }
            }
        }
        .onOpenURL { opened = $0.absoluteString }
    }
}

private nonisolated enum PhoneKey: EnvironmentKey {
    static var defaultValue: Phone? { nil }
}

extension EnvironmentValues {
    /// The phone that the gallery is on; nil in tests without one.
    nonisolated var phone: Phone? {
        get { self[PhoneKey.self] }
        set { self[PhoneKey.self] = newValue }
    }
}
