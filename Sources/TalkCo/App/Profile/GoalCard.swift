import SwiftUI
import TalkCoClient
import ViewKit

/// The learning goal, which the tutor knows.
struct GoalCard: View {
    @Bindable var profile: ProfileViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            CardTitle(title: Text("Learning goal", bundle: .module))
            field
            if profile.isGoalTooLong { ProblemText(problem: .textTooLong) }
            if profile.isSavingGoal {
                BusyRow(words: String(localized: "Saving…", bundle: wordBundle))
            } else if profile.isGoalChanged {
                Button(Text("Save", bundle: .module)) { profile.saveGoal() }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
                    .disabled(profile.isGoalTooLong)
                    .accessibilityIdentifier("save-goal")
            }
        }
        .card()
        .accessibilityGroup("goal-card")
    }

    private var field: some View {
        TextField(
            "", text: $profile.goalText, prompt: Text("For example: talk with colleagues abroad", bundle: .module), axis: .vertical
        )
        .textFieldStyle(.plain)
        .lineLimit(1...4)
        .sendsWithReturn { profile.saveGoal() }
        .padding(12)
        .frame(minHeight: Metrics.field)
        .fieldTouchArea()
        .background(palette.background, in: RoundedRectangle(cornerRadius: 12))
        .accessibilityLabel(Text("Learning goal", bundle: .module))
        .accessibilityIdentifier("goal")
    }
}

extension ProfileViewModel {
    /// The text in the field for the goal.
    fileprivate var goalText: String {
        get { goal }
        set { goalDraft = newValue }
    }
}
