import SwiftUI

/// Links to web, mail and telephone addresses.
struct LinkPage: View {
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
            }
        }
    }
}
