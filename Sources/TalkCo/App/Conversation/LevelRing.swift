import SwiftUI
import ViewKit

/// The level meter: a ring around the talk button that grows with the voice.
struct LevelRing: View {
    /// The loudness of the voice, 0 to 1.
    let level: Double
    /// True while the microphone records.
    let isOn: Bool

    var body: some View {
        Circle()
            .fill(isOn ? RecordingColors.button.opacity(0.4) : Color.clear)
            .scaleEffect(1.16 + 0.3 * min(max(level, 0), 1))
            .animation(.linear(duration: 0.08), value: level)
            .accessibilityHidden(true)
            .allowsHitTesting(false)
    }
}
