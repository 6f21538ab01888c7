import SwiftUI

/// Animations and transitions.
struct AnimationPage: View {
    var body: some View {
        SamplePage {
            MovingSample()
            TransitionSample()
        }
    }
}

/// A movement with several curves.
private struct MovingSample: View {
    @State private var isAway = false
    private let curves: [Named<Animation>] = [
        Named("Ease", .easeInOut(duration: 0.6)), Named("Linear", .linear(duration: 0.6)), Named("Spring", .spring(duration: 0.6)),
        Named("Bouncy", .spring(duration: 0.6, bounce: 0.4)),
    ]

    var body: some View {
        Sample("withAnimation") {
            ForEach(curves) { curve in
                Button(curve.name) {
                    withAnimation(curve.value) { isAway.toggle() }
                }
            }
            HStack {
                Circle().fill(.blue).frame(width: 40, height: 40).offset(x: isAway ? 120 : 0)
                Spacer()
                Text(isAway ? "away" : "home").accessibilityIdentifier("place")
            }
            HStack(spacing: 16) {
                Block("Turn").rotationEffect(.degrees(isAway ? 180 : 0))
                Block("Grow").scaleEffect(isAway ? 1.3 : 1)
                Block("Fade").opacity(isAway ? 0.2 : 1)
                Block("Colour", isAway ? .red : .blue)
            }
            .animation(.easeInOut(duration: 0.6), value: isAway)
        }
    }
}

/// Insertions and removals with transitions.
private struct TransitionSample: View {
    @State private var isShown = true
    private let transitions: [Named<AnyTransition>] = [
        Named("Opacity", .opacity), Named("Scale", .scale), Named("Slide", .slide), Named("From the bottom", .move(edge: .bottom)),
        Named("Scale and opacity", .scale.combined(with: .opacity)),
    ]

    var body: some View {
        Sample("Transitions") {
            Button(isShown ? "Hide" : "Show") {
                withAnimation(.easeInOut(duration: 0.6)) { isShown.toggle() }
            }
            .buttonStyle(.bordered)
            ForEach(transitions) { transition in
                HStack {
                    Text(transition.name)
                    Spacer()
                    if isShown { Block("Here", .purple).transition(transition.value) }
                }
                .frame(height: 36)
            }
        }
    }
}
