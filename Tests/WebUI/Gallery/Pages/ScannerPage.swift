import PlatformKit
import SwiftUI

/// A QR code for another phone, and the camera that reads one.
struct ScannerPage: View {
    @Environment(\.phone) private var phone
    @State private var content = "switchboard:gallery"
    @State private var isPicky = true
    @State private var scanning: Task<Void, Never>?
    @State private var result = "nothing"

    var body: some View {
        SamplePage {
            Sample("The camera") {
                ValueRow("Result", result, identifier: "result")
                Toggle("Only codes of the gallery", isOn: $isPicky)
                Button("Scan a code") {
                    scanning?.cancel()
                    scanning = Task { await scan() }
                }
                .buttonStyle(.bordered)
            }
            Sample("A code") {
                TextField("Content", text: $content).textFieldStyle(.roundedBorder)
                Code(text: content).fill(.black).frame(width: 200, height: 200).padding(32).background(.white)
                    .accessibilityElement()
                    .accessibilityLabel("Code")
            }
        }
        .onDisappear { scanning?.cancel() }
    }

    private func scan() async {
        result = "scanning"
        guard let phone else { return }
        do {
            let text = try await phone.scanner.text(prompt: "Point the camera at a code of the gallery.") { [isPicky] text in
                !isPicky || text.hasPrefix("switchboard:")
            }
            result = text.map { "found \($0)" } ?? "closed"
        } catch is CancellationError {
            // Another scan has begun, or the page has gone.
        } catch {
            result = "\(error)"
        }
    }
}

/// The dark modules of the code for a text; nothing if the text is too long.
nonisolated private struct Code: Shape {
    let text: String

    func path(in rect: CGRect) -> Path {
        Path { path in
            let modules = codeModules(of: text)
            let side = rect.width / CGFloat(max(modules.count, 1))
            for (row, line) in modules.enumerated() {
                for (column, isDark) in line.enumerated() where isDark {
                    path.addRect(CGRect(x: CGFloat(column) * side, y: CGFloat(row) * side, width: side, height: side))
                }
            }
        }
    }
}
