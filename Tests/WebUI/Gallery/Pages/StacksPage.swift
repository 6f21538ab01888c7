import SwiftUI

/// Stacks and their spacing.
struct StacksPage: View {
    var body: some View {
        SamplePage {
            AlignedStack()
            Sample("HStack, aligned at the first baseline") {
                HStack(alignment: .firstTextBaseline) {
                    Text("Large").font(.largeTitle)
                    Text("body")
                    Text("caption").font(.caption)
                    Image(systemName: "circle.fill").accessibilityLabel("Circle")
                    Image(systemName: "circle.fill").font(.largeTitle).accessibilityLabel("Large circle")
                }
            }
            Sample("HStack with a Spacer") {
                HStack {
                    Block("Leading")
                    Spacer()
                    Block("Trailing")
                }
            }
            Sample("HStack, too narrow for its texts") {
                HStack {
                    Text("A text that wraps because it has to share the line")
                    Spacer()
                    Text("with another text of about the same length").foregroundStyle(.secondary)
                }
            }
            Sample("HStack, with a button beside a long text") {
                HStack {
                    Text("A text that takes all of the line, so that it has to wrap")
                    Button {
                    } label: {
                        Image(systemName: "gear").frame(minWidth: 44, minHeight: 44)
                    }
                    .accessibilityLabel("Settings")
                }
            }
            Sample("VStack with a Spacer in 160 points") {
                VStack {
                    Block("Top", .green)
                    Spacer()
                    Block("Bottom", .green)
                }
                .frame(maxWidth: .infinity)
                .frame(height: 160)
                .border(.quaternary)
            }
            layers
        }
    }

    private var layers: some View {
        Sample("ZStack") {
            HStack(spacing: 16) {
                ZStack {
                    RoundedRectangle(cornerRadius: 12).fill(.teal)
                    Text("Center")
                }
                ZStack(alignment: .bottomTrailing) {
                    RoundedRectangle(cornerRadius: 12).fill(.teal)
                    Text("Corner").padding(8)
                }
            }
            .foregroundStyle(.white)
            .frame(height: 100)
        }
    }
}

/// A column whose alignment a button changes.
private struct AlignedStack: View {
    @State private var index = 0
    private let alignments: [Named<HorizontalAlignment>] = [
        Named("leading", .leading), Named("center", .center), Named("trailing", .trailing),
    ]

    var body: some View {
        Sample("VStack") {
            VStack(alignment: alignments[index].value, spacing: 4) {
                Block("One")
                Block("Number two")
                Block("The third of them")
            }
            HStack {
                Button("Change the alignment") { index = (index + 1) % alignments.count }
                Spacer()
                Text(alignments[index].name).foregroundStyle(.secondary).accessibilityIdentifier("alignment")
            }
        }
    }
}
