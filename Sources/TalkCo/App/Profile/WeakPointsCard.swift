import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The learner's repeated mistakes, with examples.
struct WeakPointsCard: View {
    let weakPoints: [ProfileViewModel.WeakPoints]

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            CardTitle(title: Text("Weak points", bundle: .module))
            ForEach(weakPoints) { group in
                VStack(alignment: .leading, spacing: 10) {
                    IssueBadge(type: group.type.rawValue)
                    ForEach(Array(group.points.enumerated()), id: \.offset) { _, point in WeakPointView(point: point) }
                }
            }
        }
        .card()
        .accessibilityGroup("weak-points")
    }
}
