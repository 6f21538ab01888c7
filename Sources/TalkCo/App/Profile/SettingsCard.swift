import SwiftUI
import TalkCoClient
import ViewKit

/// The settings of the app.
struct SettingsCard: View {
    @Bindable var settings: TalkSettings
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            CardTitle(title: Text("Settings", bundle: .module))
            HStack(spacing: 12) {
                Text("Language of the app", bundle: .module).frame(maxWidth: .infinity, alignment: .leading)
                Picker(selection: $settings.language) {
                    Text("Follow the phone", bundle: .module).tag(TalkSettings.Language.phone)
                    Text(verbatim: "English").tag(TalkSettings.Language.english)
                    Text(verbatim: "繁體中文").tag(TalkSettings.Language.traditionalChinese)
                } label: {
                    Text("Language of the app", bundle: .module)
                }
                .pickerStyle(.menu)
                .labelsHidden()
                .frame(minHeight: Metrics.control)
                .accessibilityIdentifier("language")
            }
            Toggle(isOn: $settings.keepsRecordings) { Text("Keep my recordings for the review", bundle: .module) }
                .frame(minHeight: Metrics.control)
                .accessibilityIdentifier("keep-recordings")
            Text(
                "What you say from the next talk on stays on the server until you end its review, so that you can hear yourself beside the better sentence.",
                bundle: .module
            )
            .font(.footnote)
            .foregroundStyle(palette.secondary)
        }
        .card()
        .accessibilityGroup("settings")
    }
}
