import SimBridgeClient
import SwiftUI
import ViewKit

/// The links, phone numbers and codes in a text, as buttons.
struct TextDetails: View {
    let text: String
    let bridge: Bridge
    let open: (Route) -> Void
    /// The code that was copied last; nil if none was.
    @State private var copied: String?
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        ForEach(TextDetail.all(in: text)) { detail in
            switch detail {
            case .link(let url):
                Link(destination: url) { chip("globe", Text(verbatim: Self.name(of: url))) }
            case .number(let number):
                Button {
                    open(.dialer(number))
                } label: {
                    chip("phone", Text("Call \(number)", bundle: .module))
                }
                .buttonStyle(.plain)
            case .code(let code):
                Button {
                    command.run {
                        try await bridge.copy(code)
                        copied = code
                    }
                } label: {
                    chip(
                        copied == code ? "checkmark" : "doc.on.doc",
                        copied == code ? Text("Copied \(code)", bundle: .module) : Text("Copy \(code)", bundle: .module))
                }
                .buttonStyle(.plain)
            }
        }
        ErrorText(problem: command.problem)
    }

    private func chip(_ symbol: String, _ words: Text) -> some View {
        HStack(spacing: 6) {
            Image(systemName: symbol).accessibilityHidden(true)
            words.lineLimit(1)
        }
        .font(.subheadline.weight(.semibold))
        .foregroundStyle(palette.link)
        .padding(.horizontal, 12)
        .frame(minHeight: Metrics.control)
        .overlay { RoundedRectangle(cornerRadius: 22).stroke(palette.outline).allowsHitTesting(false) }
        .contentShape(Rectangle())
    }

    /// Returns the server of a link, because the rest of the address could mislead.
    private static func name(of url: URL) -> String { url.host() ?? url.absoluteString }
}
