import SwiftUI

/// The system colours, by name and by purpose, and the materials.
struct ColorsPage: View {
    private let colors: [Named<Color>] = [
        Named("red", .red), Named("orange", .orange), Named("yellow", .yellow), Named("green", .green), Named("mint", .mint),
        Named("teal", .teal), Named("cyan", .cyan), Named("blue", .blue), Named("indigo", .indigo), Named("purple", .purple),
        Named("pink", .pink), Named("brown", .brown), Named("gray", .gray), Named("white", .white), Named("black", .black),
        Named("primary", .primary), Named("secondary", .secondary), Named("accent", .accentColor),
    ]
    private let grays: [Named<Color>] = [
        Named("gray", Color(uiColor: .systemGray)), Named("gray 2", Color(uiColor: .systemGray2)),
        Named("gray 3", Color(uiColor: .systemGray3)), Named("gray 4", Color(uiColor: .systemGray4)),
        Named("gray 5", Color(uiColor: .systemGray5)), Named("gray 6", Color(uiColor: .systemGray6)),
    ]
    private let fills: [Named<Color>] = [
        Named("fill", Color(uiColor: .systemFill)), Named("secondary", Color(uiColor: .secondarySystemFill)),
        Named("tertiary", Color(uiColor: .tertiarySystemFill)), Named("quaternary", Color(uiColor: .quaternarySystemFill)),
    ]
    private let backgrounds: [Named<Color>] = [
        Named("system", Color(uiColor: .systemBackground)), Named("secondary", Color(uiColor: .secondarySystemBackground)),
        Named("tertiary", Color(uiColor: .tertiarySystemBackground)), Named("grouped", Color(uiColor: .systemGroupedBackground)),
    ]

    var body: some View {
        SamplePage {
            Sample("System colours") { Swatches(colors: colors) }
            Sample("Grays") { Swatches(colors: grays) }
            Sample("Fills") { Swatches(colors: fills) }
            Sample("Backgrounds") { Swatches(colors: backgrounds) }
            Sample("Levels") { levels }
            Sample("Materials") { Materials() }
            Sample("Schemes") { Schemes() }
            Sample("Mixed") {
                Swatches(colors: [
                    Named("sRGB", Color(red: 0.9, green: 0.4, blue: 0.1)),
                    Named("HSB", Color(hue: 0.6, saturation: 0.8, brightness: 0.9)), Named("white 0.5", Color(white: 0.5)),
                    Named("half red", Color.red.opacity(0.5)),
                ])
            }
        }
    }

    @ViewBuilder private var levels: some View {
        Text("Primary").foregroundStyle(.primary)
        Text("Secondary").foregroundStyle(.secondary)
        Text("Tertiary").foregroundStyle(.tertiary)
        Text("Quaternary").foregroundStyle(.quaternary)
        Text("Tint").foregroundStyle(.tint)
    }
}

/// Colours and their names.
private struct Swatches: View {
    let colors: [Named<Color>]

    var body: some View {
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 72), spacing: 8)], spacing: 12) {
            ForEach(colors) { color in
                VStack(spacing: 4) {
                    RoundedRectangle(cornerRadius: 8)
                        .fill(color.value)
                        .frame(height: 40)
                        .overlay { RoundedRectangle(cornerRadius: 8).strokeBorder(.quaternary) }
                    Text(color.name).font(.caption2)
                }
            }
        }
    }
}

/// The colour scheme of the screen, and of parts of it.
private struct Schemes: View {
    var body: some View {
        SchemeSample(title: "As the screen")
        SchemeSample(title: "Always light").preferredColorScheme(.light)
        SchemeSample(title: "Always dark").preferredColorScheme(.dark)
    }
}

private struct SchemeSample: View {
    let title: String
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        ValueRow(title, scheme == .dark ? "dark" : "light", identifier: title)
            .padding(8)
            .background(Color(uiColor: .systemBackground))
    }
}

/// The materials over a colourful background.
private struct Materials: View {
    private let materials: [Named<Material>] = [
        Named("Ultra thin", .ultraThin), Named("Thin", .thin), Named("Regular", .regular), Named("Thick", .thick),
        Named("Ultra thick", .ultraThick), Named("Bar", .bar),
    ]

    var body: some View {
        VStack(spacing: 8) {
            ForEach(materials) { material in
                Text(material.name)
                    .frame(maxWidth: .infinity, minHeight: 40)
                    .background(material.value, in: RoundedRectangle(cornerRadius: 8))
            }
        }
        .padding()
        .background {
            LinearGradient(
                colors: [.red, .yellow, .green, .blue], startPoint: .topLeading, endPoint: .bottomTrailing)
        }
        .clipShape(RoundedRectangle(cornerRadius: 12))
    }
}
