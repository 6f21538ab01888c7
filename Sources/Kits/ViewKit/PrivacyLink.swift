public import SwiftUI

/// Opens a privacy policy. Not drawn without one.
public struct PrivacyLink: View {
    private let policy: URL?

    public init(_ policy: URL?) { self.policy = policy }

    public var body: some View {
        if let policy {
            Link(destination: policy) { Text("Privacy Policy", bundle: .module) }
                .buttonStyle(TextButtonStyle())
                .accessibilityIdentifier("privacy-policy")
        }
    }
}
