import SwiftUI
import TalkCoWire

/// The name of an issue type in its colour.
struct IssueBadge: View {
    /// A value of `Mark.issueTypes`; unknown values have neutral colours.
    let type: String
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        let colors = IssueColors(IssueType(rawValue: type), scheme)
        IssueType.words(type)
            .font(.caption.weight(.semibold))
            .foregroundStyle(colors.text)
            .padding(.horizontal, 10)
            .padding(.vertical, 4)
            .background(colors.fill, in: Capsule())
            .accessibilityIdentifier("badge-\(type)")
    }
}
