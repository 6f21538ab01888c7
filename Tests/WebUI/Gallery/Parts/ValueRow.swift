import SwiftUI

/// A labelled value, which tests find by `identifier`.
struct ValueRow: View {
    private let title: String
    private let value: String
    private let identifier: String

    init(_ title: String, _ value: String, identifier: String) {
        self.title = title
        self.value = value
        self.identifier = identifier
    }

    var body: some View {
        HStack {
            Text(title)
            Spacer()
            Text(value)
                .foregroundStyle(.secondary)
                .multilineTextAlignment(.trailing)
                .accessibilityIdentifier(identifier)
        }
    }
}
