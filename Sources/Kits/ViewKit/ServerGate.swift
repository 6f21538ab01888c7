public import PlatformKit
public import SwiftUI
package import WireKit

/// A view of the chosen server's app. Asks for the server's address until there is one, and again on the app's request.
public struct ServerGate<Content: View>: View {
    @Bindable private var choice: ServerChoice
    private let content: (ServerChoice.Server) -> Content

    public init(_ choice: ServerChoice, @ViewBuilder content: @escaping (ServerChoice.Server) -> Content) {
        self.choice = choice
        self.content = content
    }

    public var body: some View {
        if let server = choice.server {
            content(server)
                .id(server.id)
                .sheet(isPresented: $choice.isChanging) { ServerForm(choice: choice) }
        } else {
            ServerForm(choice: choice)
        }
    }
}

/// A form for the server's address that shows the problem of an invalid one.
private struct ServerForm: View {
    let choice: ServerChoice
    @State private var text = ""
    @State private var problem: ServerAddressError?
    /// True if the address is valid but unencrypted, and the user has to confirm it.
    @State private var isWarned = false
    @Environment(\.palette) private var palette

    private static let example = "https://server.example.com"

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                Text("Server", bundle: .module)
                    .font(.title.bold())
                    .accessibilityAddTraits(.isHeader)
                    .accessibilityHeading(.h1)
                Text("Enter the address of the server that this app uses.", bundle: .module)
                    .foregroundStyle(palette.secondary)
                field
                hint
                buttons
                PrivacyLink(choice.privacyPolicy)
            }
            .padding(24)
            .column()
        }
        .page()
        .onAppear { text = choice.server?.address.text ?? "" }
        .onChange(of: text) { (problem, isWarned) = (nil, false) }
    }

    private var field: some View {
        TextField("", text: $text, prompt: Text(verbatim: Self.example))
            .textFieldStyle(.plain)
            .keyboardType(.URL)
            .textContentType(.URL)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
            .submitLabel(.continue)
            .onSubmit { choose() }
            .padding(.horizontal, 14)
            .frame(minHeight: 48)
            .fieldTouchArea()
            .cardBackground()
            .accessibilityLabel(Text("Address of the server", bundle: .module))
            .accessibilityIdentifier("server-address")
    }

    @ViewBuilder private var hint: some View {
        if let words = problem?.words ?? (isWarned ? warning : nil) {
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: isWarned ? "exclamationmark.triangle.fill" : "exclamationmark.circle.fill")
                    .foregroundStyle(isWarned ? palette.warning : palette.error)
                    .accessibilityHidden(true)
                Text(verbatim: words)
            }
            .font(.subheadline)
            .accessibilityElement(children: .combine)
            .accessibilityIdentifier("hint")
            .announces(words)
        }
    }

    private var warning: String {
        String(
            localized: "This connection is not encrypted. Others can read and change what you send. Use \("https://") instead.",
            bundle: .module)
    }

    @ViewBuilder private var buttons: some View {
        Button(
            isWarned ? Text("Connect Without Encryption", bundle: .module) : Text("Continue", bundle: .module), action: choose
        )
        .buttonStyle(WideButtonStyle())
        .disabled(text.isEmpty)
        if choice.server == nil {
            DemonstrationButton()
        } else {
            Button(Text("Cancel", bundle: .module), role: .cancel) { choice.isChanging = false }
                .buttonStyle(TextButtonStyle(alignment: .leading))
        }
    }

    private func choose() {
        do throws(ServerAddressError) {
            let address = try ServerAddress(forPhone: text)
            if address.isExposed, !isWarned { isWarned = true } else { choice.choose(address) }
        } catch {
            problem = error
        }
    }
}

extension ServerAddressError {
    package var words: String {
        switch self {
        case .empty: String(localized: "Enter an address.", bundle: .module)
        case .invalidScheme: String(localized: "The address must begin with \("https://") or \("http://").", bundle: .module)
        case .invalidHost:
            String(localized: "The address needs a host name such as server.example.com, or an IP address.", bundle: .module)
        case .invalidPort: String(localized: "The port must be a number from 1 to 65535.", bundle: .module)
        case .invalidPath:
            String(localized: "The path of the address has characters that it cannot have.", bundle: .module)
        case .containsUser: String(localized: "The address cannot have a user name.", bundle: .module)
        case .unencrypted:
            String(
                localized: "Use \("https://") for this name. iOS allows \("http://") for IP addresses and .local names only.",
                bundle: .module)
        }
    }
}
