import SwiftUI
import TalkCoWire
import ViewKit

/// The installation of the engines for free speech: an offer, its progress or its failure.
struct InstallationNote: View {
    let installation: EngineInstallation
    let install: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        switch installation.state {
        case .absent: absent
        case .installing: installing
        case .starting: BusyRow(words: String(localized: "The engines for free speech are starting…", bundle: .module))
        case .running: EmptyView()
        }
    }

    @ViewBuilder private var absent: some View {
        if installation.isAllowed {
            if installation.hasFailed == true, let reason = installation.text {
                Text("Nothing was installed: \(reason)", bundle: .module).foregroundStyle(palette.error)
            } else {
                Text("It can hear free speech with Whisper and speak with Piper, on this machine.", bundle: .module)
            }
            Button(Text("Install Engines (380 MB)", bundle: .module)) { install() }
                .buttonStyle(TextButtonStyle(alignment: .leading))
                .accessibilityIdentifier("install-engines")
        } else {
            Text("Its operator can let it hear free speech: switchboard talkco engines --install", bundle: .module)
        }
    }

    @ViewBuilder private var installing: some View {
        Text("Installing the engines for free speech: \(step)", bundle: .module)
        ProgressView(value: fraction).accessibilityIdentifier("installation-progress")
    }

    private var step: String {
        guard let done = installation.done, let total = installation.total else { return installation.text ?? "" }
        return "\(installation.text ?? "") · \(done / 1_000_000) / \(total / 1_000_000) MB"
    }

    /// The downloaded share, 0 to 1; 0 if unknown. Downloads take the first half of an installation's time.
    private var fraction: Double {
        guard let done = installation.done, let total = installation.total, total > 0 else { return 0 }
        return min(Double(done) / Double(total), 1)
    }
}
