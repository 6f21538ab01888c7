import Pager2077Client
import Pager2077Wire
import SwiftUI

/// The user's own code as text and as a QR code.
struct CodeScreen: View {
    let code: HexCode
    /// The contents of the QR code.
    let link: String

    var body: some View {
        VStack(spacing: 8) {
            Text(verbatim: code.rawValue).font(LCD.large).tracking(2).textSelection(.enabled).accessibilityIdentifier("code")
                .accessibilityLabel(Text(verbatim: code.rawValue.map(String.init).joined(separator: " ")))
            QRShape(modules: HexCode.qrModules(of: link))
                .fill(LCD.ink)
                .frame(width: 116, height: 116)
                .padding(8)
                .background(Color(red: 0.90, green: 0.95, blue: 0.78), in: Rectangle())
                .accessibilityElement()
                .accessibilityLabel(Text("QR CODE OF MY HEX", bundle: .module))
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

/// The dark modules of a QR code.
nonisolated private struct QRShape: Shape {
    let modules: [[Bool]]

    func path(in rect: CGRect) -> Path {
        Path { path in
            let side = rect.width / CGFloat(max(modules.count, 1))
            for (row, line) in modules.enumerated() {
                for (column, isDark) in line.enumerated() where isDark {
                    path.addRect(
                        CGRect(x: rect.minX + CGFloat(column) * side, y: rect.minY + CGFloat(row) * side, width: side, height: side)
                    )
                }
            }
        }
    }
}
