import SwiftUI

/// Backgrounds and overlays.
struct LayersPage: View {
    @State private var hasBadge = true

    var body: some View {
        SamplePage {
            backgrounds
            overlays
            Sample("Border, shadow, opacity, blur") {
                HStack(spacing: 16) {
                    Block("Shadow").shadow(radius: 4, y: 2)
                    Block("Half").opacity(0.5)
                    Block("Blur").blur(radius: 2)
                    Block("Gray").grayscale(1)
                }
            }
            Sample("Turned, scaled, moved") {
                HStack(spacing: 24) {
                    Block("Turned").rotationEffect(.degrees(-15))
                    Block("Scaled").scaleEffect(0.7)
                    Block("Moved").offset(y: 10)
                }
                .padding(.vertical, 10)
            }
        }
    }

    private var backgrounds: some View {
        let color = Color.orange.opacity(0.5)
        return Sample("Background") {
            HStack(spacing: 12) {
                Text("Color").padding(10).background(color)
                Text("Shape").padding(10).background(color, in: Capsule())
                Text("View").padding(10).background {
                    Circle().fill(color)
                }
                Text("Corner").padding(10).background(alignment: .topLeading) {
                    color.frame(width: 16, height: 16)
                }
            }
            .padding(8)
            .background(.gray.opacity(0.3))
        }
    }

    private var overlays: some View {
        Sample("Overlay") {
            HStack(spacing: 24) {
                Image(systemName: "bell.fill")
                    .font(.largeTitle)
                    .accessibilityLabel("Bell")
                    .overlay(alignment: .topTrailing) {
                        if hasBadge { Circle().fill(.red).frame(width: 14, height: 14).accessibilityLabel("Badge") }
                    }
                Text("Framed")
                    .padding(10)
                    .overlay { RoundedRectangle(cornerRadius: 8).strokeBorder(.blue, lineWidth: 2) }
                Button(hasBadge ? "Remove the badge" : "Add a badge") { hasBadge.toggle() }
            }
        }
    }
}
