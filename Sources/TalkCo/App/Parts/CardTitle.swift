import SwiftUI
import ViewKit

/// The title of a card.
struct CardTitle: View {
    let title: Text

    var body: some View {
        title
            .font(.headline)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityAddTraits(.isHeader)
            .accessibilityHeading(.h2)
    }
}
