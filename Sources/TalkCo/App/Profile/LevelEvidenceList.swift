import SwiftUI
import TalkCoWire
import ViewKit

/// The sentences behind the level.
struct LevelEvidenceList: View {
    let evidence: [LevelEvidence]
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            Text("Because you said", bundle: .module)
                .font(.subheadline.weight(.semibold))
                .foregroundStyle(palette.secondary)
            ForEach(Array(evidence.enumerated()), id: \.offset) { _, item in
                VStack(alignment: .leading, spacing: 2) {
                    Text(verbatim: "“\(item.sentence)”").italic()
                    Text(verbatim: item.reason).font(.subheadline).foregroundStyle(palette.secondary)
                }
            }
        }
        .accessibilityGroup("evidence")
    }
}
