package import SwiftUI

/// The size of code, which two fingers change.
@MainActor @Observable
package final class CodeZoom {
    /// The range of the size in percent.
    nonisolated package static let range = 50...300

    /// The size of letters in points at 100 %.
    nonisolated package static let originalSize: CGFloat = 13

    /// The size in percent, in steps of 5, so that a pinch draws few sizes.
    package private(set) var percent = 100
    /// The size in percent at the start of the pinch.
    @ObservationIgnored private var start = 100

    nonisolated package init() {}

    /// The size of the letters in points.
    package var size: CGFloat { Self.originalSize * CGFloat(percent) / 100 }

    /// Follows a pinch.
    ///
    /// - Parameter magnification: The distance of the fingers, relative to the distance at the start.
    package func magnify(by magnification: CGFloat) { set(CGFloat(start) * magnification) }

    /// Ends a pinch.
    package func endPinch() { start = percent }

    package func reset() {
        set(100)
        endPinch()
    }

    private func set(_ value: CGFloat) {
        // The gesture may report an infinite value, or one that is not a number.
        guard value.isFinite else { return }
        let limited = min(max(value, CGFloat(Self.range.lowerBound)), CGFloat(Self.range.upperBound))
        let percent = Int((limited / 5).rounded()) * 5
        if percent != self.percent { self.percent = percent }
    }
}

extension View {
    /// Lets two fingers change the size of code. One finger scrolls as before.
    package func zoomable(_ zoom: CodeZoom) -> some View {
        simultaneousGesture(
            MagnifyGesture()
                .onChanged { zoom.magnify(by: $0.magnification) }
                .onEnded { _ in zoom.endPinch() })
    }
}

/// A button that shows the size of code in percent while it is not 100, and resets it.
package struct ZoomButton: View {
    private let zoom: CodeZoom

    package init(zoom: CodeZoom) { self.zoom = zoom }

    package var body: some View {
        if zoom.percent != 100 {
            Button {
                zoom.reset()
            } label: {
                Text(verbatim: "\(zoom.percent) %").monospacedDigit()
            }
            .buttonStyle(TextButtonStyle())
            .accessibilityLabel(Text("Zoom \(zoom.percent) percent", bundle: .module))
            .accessibilityHint(Text("Shows the original size", bundle: .module))
            .accessibilityIdentifier("zoom")
        }
    }
}
