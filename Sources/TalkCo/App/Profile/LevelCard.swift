import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The CEFR level with the sentences behind it, and the number of sessions.
struct LevelCard: View {
    let profile: ProfileViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            HStack(alignment: .center, spacing: 16) {
                if let level = profile.level {
                    Text(verbatim: level.rawValue)
                        .font(.system(size: 44, weight: .bold, design: .rounded))
                        .foregroundStyle(palette.accent)
                        .accessibilityIdentifier("level")
                }
                VStack(alignment: .leading, spacing: 2) {
                    (profile.level?.words ?? Text("No level yet", bundle: .module)).font(.headline)
                    sessions
                        .font(.subheadline)
                        .foregroundStyle(palette.secondary)
                        .accessibilityIdentifier("sessions")
                }
            }
            if let note = profile.levelNote { LevelNoteView(note: note) }
            if !profile.evidence.isEmpty { LevelEvidenceList(evidence: profile.evidence) }
            if profile.sessionCount > 0 { evaluateButton }
        }
        .card()
        .accessibilityGroup("level-card")
    }

    private var sessions: Text {
        profile.sessionCount == 1 ? Text("1 session", bundle: .module) : Text("\(profile.sessionCount) sessions", bundle: .module)
    }

    @ViewBuilder private var evaluateButton: some View {
        if profile.isEvaluating {
            BusyRow(words: String(localized: "Judging your level…", bundle: wordBundle))
        } else {
            Button(Text("Evaluate Again", bundle: .module)) { profile.evaluate() }
                .buttonStyle(TextButtonStyle(alignment: .leading))
                .accessibilityIdentifier("evaluate")
        }
    }
}
