package import SwiftUI

/// The settings of the phone that the home screen can change.
@MainActor
package protocol HomeSettings {
    /// The language of this phone, such as `ko`; nil for the browser's.
    var language: String? { get nonmutating set }
    /// Closes all pages of this phone and deletes its data.
    func forget()
}

/// The screen that sets the language of the phone and deletes its data.
package struct PhoneSettingsScreen: View {
    private let settings: any HomeSettings
    @State private var language: String?
    @State private var asksToForget = false
    @Environment(\.dismiss) private var dismiss

    package init(settings: any HomeSettings) {
        self.settings = settings
        _language = State(initialValue: settings.language)
    }

    package var body: some View {
        NavigationStack {
            Form {
                languages
                if let policy = URL(string: "/privacy") {
                    Section { Link(destination: policy) { Text("Privacy Policy", bundle: .module) } }
                }
                forgetting
            }
            .navigationTitle(Text("Settings", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) {
                    Button {
                        dismiss()
                    } label: {
                        Text("Done", bundle: .module)
                    }
                }
            }
        }
    }

    private var languages: some View {
        Section {
            choice(nil) { Text("As in the browser", bundle: .module) }
            choice("en") { Text(verbatim: "English") }
            choice("ko") { Text(verbatim: "한국어") }
            choice("zh-Hant") { Text(verbatim: "繁體中文") }
        } header: {
            Text("Language", bundle: .module)
        } footer: {
            Text("For this phone and all apps on it.", bundle: .module)
        }
    }

    private func choice(_ code: String?, @ViewBuilder label: () -> some View) -> some View {
        let isChosen = language == code
        return Button {
            language = code
            settings.language = code
        } label: {
            HStack {
                label()
                Spacer()
                if isChosen { Image(systemName: "checkmark").foregroundStyle(.tint).fontWeight(.semibold) }
            }
            .foregroundStyle(Color.primary)
        }
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }

    private var forgetting: some View {
        Section {
            Button(role: .destructive) {
                asksToForget = true
            } label: {
                Text("Forget this phone", bundle: .module)
            }
            .accessibilityIdentifier("forget")
            .confirmationDialog(
                Text("Forget this phone?", bundle: .module), isPresented: $asksToForget, titleVisibility: .visible
            ) {
                Button(role: .destructive) {
                    settings.forget()
                } label: {
                    Text("Forget this phone", bundle: .module)
                }
            } message: {
                Text(
                    "You are logged out of all apps. Drafts and messages that were not sent are deleted. An app without a login, such as Pager2077, loses its code and friends. You cannot undo this.",
                    bundle: .module)
            }
        } footer: {
            Text("This browser is a phone of this box. Others, and the services on it, are not touched.", bundle: .module)
        }
    }
}
