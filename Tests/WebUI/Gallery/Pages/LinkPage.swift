import SwiftUI

/// Links to web, mail and telephone addresses.
struct LinkPage: View {
    @State private var opened = "nothing"
    @Environment(\.openURL) private var openURL
    private let web = URL(string: "https://www.swift.org/")
    private let mail = URL(string: "mailto:someone@example.com")
    private let telephone = URL(string: "tel:+15550100")

    var body: some View {
        List {
            Section("Addresses") {
                if let web { Link("The Web", destination: web) }
                if let mail { Link("Mail", destination: mail) }
                if let telephone { Link("Telephone", destination: telephone) }
            }
            if let web {
                Section("Looks") {
                    Link(destination: web) { Label("With a symbol", systemImage: "globe") }
                    Link("Bordered", destination: web).buttonStyle(.bordered)
                    Link("Prominent", destination: web).buttonStyle(.borderedProminent)
                    Link("Disabled", destination: web).disabled(true)
                }
                Section("By a button") {
                    Button("Open the Web") { openURL(web) }
                }
                inTexts
            }
        }
    }

    @ViewBuilder private var inTexts: some View {
        Section("In a text") {
            (Text("A paragraph may link to ") + link("the language", "https://www.swift.org/") + Text(", write to ")
                + link("somebody", "mailto:someone@example.com").bold() + Text(", and wraps at a link with ")
                + link("a text of more words than fit on one line of a phone", "https://www.swift.org/documentation/") + Text("."))
                .textSelection(.enabled)
                .accessibilityIdentifier("paragraph")
            (Text("A script is ") + link("no link", "javascript:alert(1)") + Text(", nor is ") + link("data", "data:text/html,x")
                + Text("."))
                .accessibilityIdentifier("harmless")
        }
        Section("Opened by the app") {
            (Text("These words ask the app to open ") + link("a chapter", "book:chapter/1") + Text("."))
                .environment(\.openURL, OpenURLAction { open($0) })
            Text("Opened: \(opened)").accessibilityIdentifier("opened")
        }
    }

    private func open(_ url: URL) -> OpenURLAction.Result {
        opened = url.absoluteString
        return .handled
    }

    private func link(_ words: String, _ address: String) -> Text {
        var content = AttributedString(words)
        content.link = URL(string: address)
        return Text(content)
    }
}
