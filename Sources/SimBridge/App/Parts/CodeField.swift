import SimBridgeWire
import SwiftUI
import ViewKit

/// A field for a six-digit code, shown as large boxes.
struct CodeField: View {
    @Binding var code: String
    @FocusState private var isFocused: Bool

    var body: some View {
        ZStack {
            HStack(spacing: 8) {
                ForEach(0..<PairingCode.length, id: \.self) { DigitBox(digit: digit($0), isNext: isFocused && $0 == code.count) }
            }
            .accessibilityHidden(true)
            // The text field is transparent; the boxes show its text.
            TextField("", text: $code)
                .textFieldStyle(.plain)
                .keyboardType(.numberPad)
                .textContentType(.oneTimeCode)
                .foregroundStyle(Color.clear)
                .tint(.clear)
                .frame(maxWidth: .infinity, minHeight: 64)
                .fieldTouchArea($isFocused)
                .accessibilityLabel(Text("Pairing code", bundle: .module))
                .accessibilityIdentifier("code")
        }
        .onChange(of: code) {
            let digits = PairingCode.digits(in: code)
            if digits != code { code = digits }
        }
    }

    private func digit(_ index: Int) -> String {
        index < code.count ? String(code[code.index(code.startIndex, offsetBy: index)]) : ""
    }
}

private struct DigitBox: View {
    let digit: String
    let isNext: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        Text(verbatim: digit)
            .font(.system(size: 32, weight: .semibold, design: .monospaced))
            .foregroundStyle(palette.onSurface)
            .frame(maxWidth: 52, minHeight: 64)
            .frame(maxWidth: .infinity)
            .cardBackground()
            .overlay {
                RoundedRectangle(cornerRadius: Metrics.corner)
                    .stroke(isNext ? palette.primary : palette.outline, lineWidth: isNext ? 2 : 1)
                    .allowsHitTesting(false)
            }
    }
}
