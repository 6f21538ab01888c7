import SwiftUI

/// Emphasis, lines, alignment, runs, selection.
struct TextPage: View {
    @State private var showsAll = false
    private let story = "The quick brown fox jumps over the lazy dog, thinks about it, and jumps back again before anyone notices."

    var body: some View {
        List {
            Section("Emphasis") { emphasis }
            Section("Lines") { lines }
            Section("Alignment") { alignment }
            Section("Runs") { runs }
            Section {
                Text("Touch and hold to select some of this text.").textSelection(.enabled)
                Text(verbatim: "Verbatim: 50 % off, 100 %@ safe, <b>not bold</b>")
                Text("여러 언어: 日本語, 한국어, العربية, 😀")
            } header: {
                Text("Selection and characters")
            }
        }
    }

    @ViewBuilder private var emphasis: some View {
        Text("Bold").bold()
        Text("Italic").italic()
        Text("Underlined").underline()
        Text("Struck through").strikethrough()
        Text("Wide").kerning(4)
        Text("Upper case").textCase(.uppercase)
        Text("Secondary").foregroundStyle(.secondary)
        Text("Monospaced 0O1l").monospaced()
    }

    @ViewBuilder private var lines: some View {
        Text(story)
            .lineLimit(showsAll ? nil : 1)
            .accessibilityIdentifier("story")
        Button(showsAll ? "Show less" : "Show more") { showsAll.toggle() }
        Text(story).lineSpacing(8).lineLimit(3)
    }

    @ViewBuilder private var alignment: some View {
        Text(story).multilineTextAlignment(.leading)
        Text(story).multilineTextAlignment(.center)
        Text(story).multilineTextAlignment(.trailing)
    }

    @ViewBuilder private var runs: some View {
        Text("One text of ") + Text("bold").bold() + Text(", ") + Text("red").foregroundStyle(.red) + Text(" and ")
            + Text("small").font(.caption) + Text(" runs that wrap together.")
        Text("\(3) interpolated \("pieces")")
    }
}
