import SwiftUI
import TalkCoWire
import ViewKit

/// The engine that speaks, and its limits.
struct EngineNote: View {
    let engine: EngineInfo
    let install: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: "info.circle").accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 4) {
                engine.speakerWords
                if let limits = engine.limitWords { limits }
                engine.judgeWords
                if let installation = engine.installation { InstallationNote(installation: installation, install: install) }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .font(.footnote)
        .foregroundStyle(palette.secondary)
        .padding(.vertical, 4)
        .accessibilityGroup("engine")
    }
}
