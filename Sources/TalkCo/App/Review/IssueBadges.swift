import SwiftUI

/// Badges of issue types, in as many lines as they need.
struct IssueBadges: View {
    /// The values of `Mark.issueTypes`.
    let types: [String]

    var body: some View {
        // Wide enough for the longest badge, so that none is cut off.
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 140), spacing: 6, alignment: .leading)], alignment: .leading, spacing: 6) {
            ForEach(types, id: \.self) { IssueBadge(type: $0) }
        }
    }
}
