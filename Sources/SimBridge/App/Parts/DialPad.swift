import SwiftUI

/// A telephone keypad.
struct DialPad: View {
    let press: (String) -> Void

    private static let rows = [
        [("1", ""), ("2", "ABC"), ("3", "DEF")], [("4", "GHI"), ("5", "JKL"), ("6", "MNO")],
        [("7", "PQRS"), ("8", "TUV"), ("9", "WXYZ")], [("*", ""), ("0", "+"), ("#", "")],
    ]

    var body: some View {
        VStack(spacing: 10) {
            ForEach(0..<4, id: \.self) { row in
                HStack(spacing: 16) {
                    ForEach(0..<3, id: \.self) { column in
                        DialKey(digit: Self.rows[row][column].0, letters: Self.rows[row][column].1, press: press)
                    }
                }
            }
        }
        .frame(maxWidth: 320)
    }
}

private struct DialKey: View {
    let digit: String
    let letters: String
    let press: (String) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            press(digit)
        } label: {
            VStack(spacing: 0) {
                Text(verbatim: digit).font(.system(size: 26, weight: .medium)).foregroundStyle(palette.onSurface)
                if !letters.isEmpty {
                    Text(verbatim: letters).font(.system(size: 10, weight: .semibold)).foregroundStyle(palette.onSurfaceVariant)
                        .accessibilityHidden(true)
                }
            }
            .frame(maxWidth: .infinity, minHeight: 56)
            .background(palette.card, in: RoundedRectangle(cornerRadius: 28))
        }
        .buttonStyle(.plain)
        .gesture(LongPressGesture().onEnded { _ in if digit == "0" { press("+") } })
        .accessibilityLabel(Text(verbatim: digit))
    }
}
