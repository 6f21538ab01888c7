import Pager2077Client
import Pager2077Wire
import SwiftUI

/// One's own code, to read out, to copy, to be scanned.
struct CodeScreen: View {
    let code: HexCode

    var body: some View {
        VStack(spacing: 8) {
            Text(verbatim: code.rawValue).font(LCD.large).tracking(2).textSelection(.enabled).accessibilityIdentifier("code")
                .accessibilityLabel(Text(verbatim: code.rawValue.map(String.init).joined(separator: " ")))
            QRShape(modules: code.qrModules)
                .fill(LCD.ink)
                .frame(width: 96, height: 96)
                .padding(8)
                .background(Color(red: 0.90, green: 0.95, blue: 0.78))
                .accessibilityLabel(Text("YOUR CODE AS A QR CODE", bundle: .module))
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

/// Squares where a QR symbol is dark.
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
