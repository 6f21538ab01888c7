import SwiftUI
import ViewKit

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
        if digit == "0" {
            HoldKey(Text(verbatim: digit), holdWords: Text(verbatim: "+")) {
                press(digit)
            } hold: {
                press("+")
            } label: {
                face.opacity($0 ? 0.5 : 1)
            }
        } else {
            Button {
                press(digit)
            } label: {
                face
            }
            .buttonStyle(.plain)
            .accessibilityLabel(Text(verbatim: digit))
        }
    }

    private var face: some View {
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
}
