package import SwiftUI

/// A link to a privacy policy. Not drawn without one.
package struct PrivacyLink: View {
    private let policy: URL?

    package init(_ policy: URL?) { self.policy = policy }

    package var body: some View {
        if let policy {
            Link(destination: policy) { Text("Privacy Policy", bundle: .module) }
                .buttonStyle(TextButtonStyle())
                .accessibilityIdentifier("privacy-policy")
        }
    }
}
