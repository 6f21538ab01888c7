import SwiftUI
import ViewKit

/// A card with a list of texts.
struct ListCard: View {
    let title: Text
    let items: [String]
    let identifier: String

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            CardTitle(title: title)
            ForEach(Array(items.enumerated()), id: \.offset) { _, item in
                HStack(alignment: .top, spacing: 8) {
                    Text(verbatim: "•").accessibilityHidden(true)
                    Text(verbatim: item).frame(maxWidth: .infinity, alignment: .leading)
                }
            }
        }
        .card()
        .accessibilityGroup(identifier)
    }
}
