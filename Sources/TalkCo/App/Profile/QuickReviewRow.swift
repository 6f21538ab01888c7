import SwiftUI
import TalkCoWire
import ViewKit

/// A sentence in Chinese; a tap shows or hides the English.
struct QuickReviewRow: View {
    let sentence: QuickReview
    @State private var isShown = false
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            isShown.toggle()
        } label: {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: sentence.chinese)
                if isShown {
                    Text(verbatim: sentence.english).fontWeight(.semibold).foregroundStyle(palette.accent)
                } else {
                    Text("Show the English", bundle: .module).font(.footnote).foregroundStyle(palette.secondary)
                }
            }
            .multilineTextAlignment(.leading)
            .frame(maxWidth: .infinity, minHeight: 52, alignment: .leading)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.text)
    }
}
