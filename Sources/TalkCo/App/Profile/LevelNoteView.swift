import SwiftUI
import TalkCoClient
import ViewKit

/// The reason why the learner has no level yet, and the next step towards a level.
struct LevelNoteView: View {
    let note: ProfileViewModel.LevelNote
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        if note == .judging {
            BusyRow(words: words)
        } else {
            Text(verbatim: words).font(.subheadline).foregroundStyle(palette.secondary).accessibilityIdentifier("level-note")
        }
    }

    private var words: String {
        switch note {
        case .finishConversation:
            String(localized: "Finish a conversation and its review, and your level appears here.", bundle: wordBundle)
        case .reviewing:
            String(
                localized: "Your last conversation is being reviewed. End its review, and your level is judged.", bundle: wordBundle
            )
        case .endReview:
            String(localized: "Your conversation has been reviewed. End a review, and your level is judged.", bundle: wordBundle)
        case .judging: String(localized: "Judging your level…", bundle: wordBundle)
        case .tooShort(let count, let needed):
            String(
                localized:
                    "Too short for a level: \(count) of \(needed) English words. Say or write \(needed - count) more next time.",
                bundle: wordBundle)
        case .notJudged:
            String(
                localized: "No level could be judged from your conversations yet. Talk a little more, or evaluate again.",
                bundle: wordBundle)
        }
    }
}
