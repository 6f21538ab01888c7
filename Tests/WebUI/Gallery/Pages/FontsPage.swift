import SwiftUI

/// Text styles, weights, designs, sizes.
struct FontsPage: View {
    @State private var isBold = false
    @State private var isItalic = false

    private let styles: [Named<Font>] = [
        Named("Large title", .largeTitle), Named("Title", .title), Named("Title 2", .title2), Named("Title 3", .title3),
        Named("Headline", .headline), Named("Subheadline", .subheadline), Named("Body", .body), Named("Callout", .callout),
        Named("Footnote", .footnote), Named("Caption", .caption), Named("Caption 2", .caption2),
    ]
    private let weights: [Named<Font.Weight>] = [
        Named("Ultra light", .ultraLight), Named("Thin", .thin), Named("Light", .light), Named("Regular", .regular),
        Named("Medium", .medium), Named("Semibold", .semibold), Named("Bold", .bold), Named("Heavy", .heavy),
        Named("Black", .black),
    ]
    private let designs: [Named<Font.Design>] = [
        Named("Default", .default), Named("Rounded", .rounded), Named("Serif", .serif), Named("Monospaced", .monospaced),
    ]

    var body: some View {
        List {
            Section {
                Toggle("Bold", isOn: $isBold)
                Toggle("Italic", isOn: $isItalic)
            }
            Section("Styles") {
                ForEach(styles) { Text($0.name).font($0.value).bold(isBold).italic(isItalic) }
            }
            Section("Weights") {
                ForEach(weights) { Text($0.name).fontWeight($0.value) }
            }
            Section("Designs") {
                ForEach(designs) { Text($0.name).fontDesign($0.value) }
            }
            Section("Sizes and digits") {
                Text("11 points").font(.system(size: 11))
                Text("24 points").font(.system(size: 24, weight: .light))
                Text("40 points").font(.system(size: 40, weight: .heavy, design: .rounded))
                Text("1111 proportional")
                Text("1111 of one width").monospacedDigit()
            }
        }
    }
}
