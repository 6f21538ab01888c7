import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// The count of a text's SMS segments, and of the characters left in the last segment.
struct SegmentCounter: View {
    let text: String
    @Environment(\.palette) private var palette

    var body: some View {
        let segments = TextSegments(text)
        HStack(spacing: 6) {
            Text("\(segments.remaining) left", bundle: .module)
            if segments.count > 1 { Text("\(segments.count) messages", bundle: .module).fontWeight(.semibold) }
            if segments.alphabet == .ucs2 { Text("Unicode", bundle: .module) }
        }
        .font(.caption.monospacedDigit())
        .foregroundStyle(palette.onSurfaceVariant)
        .accessibilityElement(children: .combine)
        .accessibilityIdentifier("segments")
    }
}
