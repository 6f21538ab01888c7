import SwiftUI

/// Taps, long presses and drags.
struct GesturesPage: View {
    @State private var taps = 0
    @State private var singleTaps = 0
    @State private var doubleTaps = 0
    @State private var longPresses = 0
    @State private var isPressing = false

    var body: some View {
        VStack(spacing: 16) {
            Pad(title: "Tap here", value: "\(taps)", identifier: "taps")
                .contentShape(Rectangle())
                .onTapGesture { taps += 1 }
            Pad(title: "Tap once or twice", value: "\(singleTaps), \(doubleTaps)", identifier: "doubleTaps")
                .contentShape(Rectangle())
                .onTapGesture(count: 2) { doubleTaps += 1 }
                .onTapGesture { singleTaps += 1 }
            Pad(title: isPressing ? "Keep holding" : "Touch and hold here", value: "\(longPresses)", identifier: "longPresses")
                .contentShape(Rectangle())
                .onLongPressGesture(minimumDuration: 0.5) {
                    longPresses += 1
                } onPressingChanged: {
                    isPressing = $0
                }
            DragArea()
        }
        .padding()
    }
}

/// A target with a count of its touches.
private struct Pad: View {
    let title: String
    let value: String
    let identifier: String

    var body: some View {
        HStack {
            Text(title)
            Spacer()
            Text(value).foregroundStyle(.secondary).accessibilityIdentifier(identifier)
        }
        .padding()
        .background(Color.blue.opacity(0.15), in: RoundedRectangle(cornerRadius: 12))
    }
}

/// A circle that follows a drag.
private struct DragArea: View {
    @State private var place = CGSize.zero
    @State private var movement = CGSize.zero
    @State private var drags = 0

    private var offset: CGSize { CGSize(width: place.width + movement.width, height: place.height + movement.height) }

    var body: some View {
        VStack {
            Text("At \(Int(offset.width)), \(Int(offset.height)) after \(drags) drags")
                .monospacedDigit()
                .accessibilityIdentifier("place")
            circle
                .frame(maxWidth: .infinity, maxHeight: .infinity)
                .background(Color(uiColor: .secondarySystemBackground), in: RoundedRectangle(cornerRadius: 12))
            Button("Back to the middle") {
                withAnimation { place = .zero }
            }
        }
    }

    private var circle: some View {
        Circle()
            .fill(movement == .zero ? .orange : .red)
            .frame(width: 80, height: 80)
            .accessibilityIdentifier("circle")
            .accessibilityLabel("Circle")
            .offset(offset)
            .gesture(
                DragGesture()
                    .onChanged { movement = $0.translation }
                    .onEnded { drag in
                        place.width += drag.translation.width
                        place.height += drag.translation.height
                        movement = .zero
                        drags += 1
                    })
    }
}
