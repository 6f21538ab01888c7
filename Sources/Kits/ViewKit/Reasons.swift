package import SwiftUI

extension String {
    /// The reason why an app on an insecure page lacks a capability of the phone: the same sentence for all capabilities.
    @MainActor package static var insecurePage: String {
        String(
            localized:
                "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an \("https://") address.",
            bundle: .module)
    }

    /// The reason why an app does not reach a server on the local network: the same sentence in all apps.
    @MainActor package static var localNetworkDenied: String {
        String(
            localized:
                "This app isn’t allowed to use the local network. Open Settings, Privacy & Security, Local Network, and turn it on for this app.",
            bundle: .module)
    }

    /// Returns the reason, followed by the way without the capability.
    @MainActor package static func insecurePage(_ otherWay: String) -> String { insecurePage + " " + otherWay }
}

extension Text {
    @MainActor package static var insecurePage: Text { Text(verbatim: .insecurePage) }
    @MainActor package static func insecurePage(_ otherWay: Text) -> Text { insecurePage + Text(verbatim: " ") + otherWay }
}

/// A message that a button could not read the clipboard, with the way without it: pasting into the field.
package struct PasteProblem: View {
    @Environment(\.isPageSecure) private var isPageSecure

    package init() {}

    package var body: some View { ProblemLabel(words, symbol: "doc.on.doc", identifier: "paste-problem") }

    private var words: String { isPageSecure ? otherWay : .insecurePage(otherWay) }

    private var otherWay: String {
        String(
            localized: "The clipboard couldn’t be read. Hold your finger on the field, and paste the text there.", bundle: .module)
    }
}
