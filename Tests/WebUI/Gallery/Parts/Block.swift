import SwiftUI

/// A coloured block for layout samples.
struct Block: View {
    private let title: String
    private let color: Color

    init(_ title: String, _ color: Color = .blue) {
        self.title = title
        self.color = color
    }

    var body: some View {
        Text(title)
            .padding(.horizontal, 12)
            .padding(.vertical, 6)
            .foregroundStyle(.white)
            .background(color, in: RoundedRectangle(cornerRadius: 6))
    }
}
