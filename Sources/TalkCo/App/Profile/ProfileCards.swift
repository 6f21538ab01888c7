import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The cards of a profile. Cards without content are omitted.
struct ProfileCards: View {
    let profile: ProfileViewModel
    let practice: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        LevelCard(profile: profile)
        if profile.sessionCount > 0 || profile.level != nil { DimensionCard(profile: profile) }
        if !profile.trends.isEmpty { TrendCard(trends: profile.trends) }
        if profile.canPractice {
            Button(Text("Practise Weak Points", bundle: .module)) { practice() }
                .buttonStyle(WideButtonStyle())
                .accessibilityIdentifier("practise-weak-points")
            if profile.waitingCount > 0 {
                waiting
                    .font(.footnote)
                    .foregroundStyle(palette.secondary)
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .accessibilityIdentifier("waiting")
            }
        }
        GoalCard(profile: profile)
        if !profile.weakPoints.isEmpty { WeakPointsCard(weakPoints: profile.weakPoints) }
        if !profile.quickReview.isEmpty { QuickReviewCard(sentences: profile.quickReview) }
        if !profile.learnedSentences.isEmpty { LearnedCard(sentences: profile.learnedSentences) }
        if !profile.learnedExpressions.isEmpty {
            ListCard(
                title: Text("Learned expressions", bundle: .module), items: profile.learnedExpressions, identifier: "expressions")
        }
        if !profile.commonErrors.isEmpty {
            ListCard(title: Text("Common mistakes", bundle: .module), items: profile.commonErrors, identifier: "common-errors")
        }
        if !profile.progressNotes.isEmpty { notes }
        if let talks = profile.removedTalks {
            VStack(alignment: .leading, spacing: 4) {
                Text("Older talks were removed: \(talks.removedCount). Your profile keeps what it learned.", bundle: .module)
                Text("The service keeps your last \(talks.maximumCount) talks, for \(talks.days) days.", bundle: .module)
            }
            .font(.footnote)
            .foregroundStyle(palette.secondary)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityGroup("removed-talks")
        }
    }

    private var waiting: Text {
        profile.waitingCount == 1
            ? Text("1 sentence of yours comes back, until it is right three times.", bundle: .module)
            : Text("\(profile.waitingCount) sentences of yours come back, each until it is right three times.", bundle: .module)
    }

    private var notes: some View {
        VStack(alignment: .leading, spacing: 8) {
            CardTitle(title: Text("Progress", bundle: .module))
            Text(verbatim: profile.progressNotes).lineSpacing(4)
        }
        .card()
    }
}
