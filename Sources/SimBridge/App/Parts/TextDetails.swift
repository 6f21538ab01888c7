import SimBridgeClient
import SwiftUI

/// The links, numbers and codes of a text, to be tapped.
struct TextDetails: View {
    let text: String
    let bridge: Bridge
    let open: (Place) -> Void
    /// The code that was copied last.
    @State private var copied: String?
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
                    Task { if await bridge.copy(code) { copied = code } }
                } label: {
                    chip(
                        copied == code ? "checkmark" : "doc.on.doc",
                        copied == code ? Text("Copied \(code)", bundle: .module) : Text("Copy \(code)", bundle: .module))
                }
                .buttonStyle(.plain)
            }
        }
    }

    private func chip(_ symbol: String, _ words: Text) -> some View {
        HStack(spacing: 6) {
            Image(systemName: symbol).accessibilityHidden(true)
            words.lineLimit(1)
        }
        .font(.subheadline.weight(.semibold))
        .foregroundStyle(palette.link)
        .padding(.horizontal, 12)
        .frame(minHeight: 44)
        .overlay { RoundedRectangle(cornerRadius: 22).stroke(palette.outline).allowsHitTesting(false) }
        .contentShape(Rectangle())
    }

    /// The server that a link leads to: the rest may say anything.
    private static func name(of url: URL) -> String { url.host() ?? url.absoluteString }
}
