import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The four dimensions as a chart.
struct DimensionCard: View {
    let profile: ProfileViewModel
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            CardTitle(title: Text("Where mistakes happen", bundle: .module))
            HStack(spacing: 12) {
                // The names are outside the chart because the chart's own category labels are not localized.
                VStack(alignment: .leading, spacing: 0) {
                    ForEach(profile.dimensions) { dimension in
                        dimension.type.words.font(.subheadline).frame(maxHeight: .infinity).accessibilityHidden(true)
                    }
                }
                DimensionChart(dimensions: profile.dimensions)
            }
            .frame(height: 168)
            caption.font(.footnote).foregroundStyle(palette.secondary)
        }
        .card()
        .accessibilityGroup("dimensions")
    }

    private var caption: Text {
        profile.showsRates
            ? Text("Marks for each hundred words of your last sessions. Shorter is better.", bundle: .module)
            : Text("Examples of your weak points. Shorter is better.", bundle: .module)
    }
}
