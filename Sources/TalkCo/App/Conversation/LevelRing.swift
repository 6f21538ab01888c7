import SwiftUI
import ViewKit

/// The level meter: a ring around the talk button that grows with the voice.
struct LevelRing: View {
    /// 0 to 1.
    let level: Double
    @Environment(\.palette) private var palette

    var body: some View {
        Circle()
            .fill(palette.accent.opacity(0.28))
            .scaleEffect(1 + 0.34 * min(max(level, 0), 1))
            .animation(.linear(duration: 0.08), value: level)
            .accessibilityHidden(true)
            .allowsHitTesting(false)
    }
}
