import SwiftUI

/// Dividers, padding and frames.
struct SpacingPage: View {
    @State private var isWide = false

    var body: some View {
        SamplePage {
            dividers
            paddings
            frames
            Sample("Aspect ratio") {
                HStack {
                    Color.mint.aspectRatio(1, contentMode: .fit)
                    Color.mint.aspectRatio(16 / 9, contentMode: .fit)
                }
                .frame(width: 240)
            }
            Sample("A frame that changes") {
                Block(isWide ? "Wide" : "Narrow")
                    .frame(width: isWide ? 300 : 120, height: 50)
                    .border(.red)
                Button("Change the width") { isWide.toggle() }
            }
        }
    }

    private var dividers: some View {
        Sample("Divider") {
            Text("Above")
            Divider()
            Text("Below")
            HStack {
                Text("Left")
                Divider()
                Text("Right")
            }
            .frame(height: 30)
        }
    }

    private var paddings: some View {
        Sample("Padding") {
            HStack(alignment: .top) {
                Text("16").padding().border(.blue)
                Text("4").padding(4).border(.blue)
                Text("Leading 24").padding(.leading, 24).border(.blue)
                Text("Twice").padding(6).border(.blue).padding(6).border(.red)
            }
        }
    }

    private var frames: some View {
        Sample("Frame") {
            HStack {
                Text("Top").frame(width: 80, height: 60, alignment: .topLeading).border(.green)
                Text("Mid").frame(width: 80, height: 60).border(.green)
                Text("End").frame(width: 80, height: 60, alignment: .bottomTrailing).border(.green)
            }
            Text("As wide as there is room").frame(maxWidth: .infinity).border(.green)
            Text("At most 200 points").frame(maxWidth: 200, alignment: .leading).border(.green)
            Text("At least 60 points high").frame(minHeight: 60).border(.green)
            Text("A fixed size that does not wrap").fixedSize().frame(width: 100, alignment: .leading).border(.green)
        }
    }
}
