import EndlessCodeClient
import EndlessCodeWire
import SwiftUI
import ViewKit

/// A banner about a lost connection, or about the decision it waits for. Empty while connected, and on a phone without a server.
struct ConnectionBanner: View {
    let client: AgentClient
    let navigation: AppNavigation
    @State private var showsSheet = false
    /// The question on the sheet, also while the sheet disappears after the answer.
    @State private var asked: ConnectionHold?
    /// The seconds until the next attempt; nil while they are not known.
    @State private var seconds: Int?

    var body: some View {
        if client.isReady, client.server != nil, client.status != .connected {
            Banner(symbol: symbol, words: words, detail: detail, isBusy: client.hold == nil, isQuestion: isQuestion) { buttons }
                .accessibilityIdentifier("banner")
                .sheet(isPresented: $showsSheet) {
                    if let asked { HoldSheet(client: client, hold: asked) { showsSheet = false } }
                }
                .onChange(of: client.hold, initial: true) {
                    if client.hold == nil { showsSheet = false } else { asked = client.hold }
                }
                .task(id: client.nextAttempt) {
                    seconds = nil
                    await client.followSecondsToNextAttempt { seconds = $0 }
                }
        }
    }

    private var isQuestion: Bool {
        switch client.hold {
        case .cellular, .certificate, .plainHTTP, .tokenMissing: true
        default: false
        }
    }

    private var symbol: String {
        switch client.hold {
        case .certificate, .certificateDeclined, .certificateChanged: "lock.open"
        case .plainHTTP, .plainHTTPDeclined: "lock.open"
        case .tokenMissing, .tokenRefused: "key"
        case .cellular, .cellularDeclined: "antenna.radiowaves.left.and.right"
        default: "wifi.slash"
        }
    }

    private var words: String {
        guard let hold = client.hold else {
            return client.problem == nil && client.nextAttempt == nil
                ? String(localized: "Connecting to the server", bundle: .module)
                : String(localized: "The connection was lost.", bundle: .module)
        }
        return hold.words(after: client.problem)
    }

    /// The next attempt after the connection was lost; nil otherwise.
    private var detail: Text? {
        guard client.hold == nil else { return nil }
        if client.nextAttempt != nil, let seconds { return Text("Next attempt in \(seconds) s", bundle: .module) }
        return client.problem == nil ? nil : Text("Reconnecting…", bundle: .module)
    }

    @ViewBuilder private var buttons: some View {
        switch client.hold {
        case nil: EmptyView()
        case .cellular:
            button(Text("Don’t Use", bundle: .module)) { client.answerCellular(false) }
            button(Text("Use Cellular Data", bundle: .module)) { client.answerCellular(true) }
        case .cellularDeclined: button(Text("Connect", bundle: .module)) { client.reconnect() }
        case .certificateDeclined, .plainHTTPDeclined, .gaveUp: button(Text("Try Again", bundle: .module)) { client.reconnect() }
        case .certificate: button(Text("Compare", bundle: .module)) { showsSheet = true }
        case .certificateChanged, .plainHTTP: button(Text("Details", bundle: .module)) { showsSheet = true }
        case .tokenMissing, .tokenRefused: button(Text("Enter Token", bundle: .module)) { showsSheet = true }
        case .notAllowed: button(Text("Settings", bundle: .module)) { navigation.tab = .settings }
        }
    }

    private func button(_ words: Text, _ action: @escaping () -> Void) -> some View {
        Button(words) { action() }.buttonStyle(TextButtonStyle())
    }
}

/// A message across the screen with its buttons.
private struct Banner<Buttons: View>: View {
    let symbol: String
    let words: String
    /// Further text, whose changes a screen reader does not announce.
    let detail: Text?
    let isBusy: Bool
    let isQuestion: Bool
    @ViewBuilder let buttons: Buttons
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(spacing: 10) {
                if isBusy {
                    ProgressView().accessibilityHidden(true)
                } else {
                    Image(systemName: symbol)
                        .foregroundStyle(isQuestion ? palette.warning : palette.error)
                        .accessibilityHidden(true)
                }
                VStack(alignment: .leading, spacing: 0) {
                    Text(verbatim: words).font(.subheadline).announces(words)
                    detail?.font(.footnote).foregroundStyle(palette.secondary)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .frame(minHeight: Metrics.control)
            HStack(spacing: 20) {
                Spacer()
                buttons
            }
        }
        .padding(.horizontal, Metrics.padding)
        .column()
        .foregroundStyle(palette.text)
        .background(palette.card, in: Rectangle())
        .overlay(alignment: .bottom) { Rectangle().fill(palette.outline).frame(height: 1) }
        .accessibilityElement(children: .contain)
    }
}

/// The sheet of a question about the connection.
private struct HoldSheet: View {
    let client: AgentClient
    let hold: ConnectionHold
    let close: () -> Void
    @State private var command = UserCommand()
    @State private var token = ""
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                title.font(.title3.weight(.semibold)).accessibilityAddTraits(.isHeader)
                content
                if let problem = command.problem { ProblemText(problem: problem) }
            }
            .padding(Metrics.padding)
            .padding(.top, 8)
            .column()
        }
        .page()
        .presentationDetents([.medium, .large])
    }

    private var title: Text {
        switch hold {
        case .certificate: Text("Is This Your Server?", bundle: .module)
        case .certificateChanged: Text("The Certificate Has Changed", bundle: .module)
        case .plainHTTP: Text("Send the Token Without Encryption?", bundle: .module)
        default: Text("Token", bundle: .module)
        }
    }

    @ViewBuilder private var content: some View {
        switch hold {
        case .certificate(let fingerprint):
            Text("Compare these digits with those that the server shows in its terminal.", bundle: .module)
            fingerprintText(fingerprint)
            main(Text("They Are the Same", bundle: .module)) { () async throws(CodeProblem) in
                try await client.acceptCertificate(true)
            }
            other(Text("They Differ", bundle: .module)) { () async throws(CodeProblem) in try await client.acceptCertificate(false)
            }
        case .certificateChanged(let expected, let found):
            Text(
                "Nothing was sent. If you have set up the server anew, scan its new QR code in the settings. Otherwise somebody may be in between.",
                bundle: .module)
            Text("Expected", bundle: .module).font(.footnote).foregroundStyle(palette.secondary)
            fingerprintText(expected)
            Text("Found", bundle: .module).font(.footnote).foregroundStyle(palette.secondary)
            fingerprintText(found)
        case .plainHTTP:
            Text(
                "Everybody on the network between this phone and the server can read the token, and then control your agents.",
                bundle: .module)
            main(Text("Don’t Send", bundle: .module)) { () async throws(CodeProblem) in try await client.acceptPlainHTTP(false) }
            other(Text("Send Anyway", bundle: .module)) { () async throws(CodeProblem) in try await client.acceptPlainHTTP(true) }
        default:
            Text("The server shows it in its terminal. The text of the QR code works too.", bundle: .module)
            SecureField("", text: $token, prompt: Text("Token", bundle: .module))
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.go)
                .onSubmit { if !token.isEmpty { run(connect) } }
                .padding(.horizontal, 12)
                .frame(minHeight: 48)
                .fieldTouchArea()
                .cardBackground()
                .accessibilityLabel(Text("Token", bundle: .module))
                .accessibilityIdentifier("hold-token")
            main(Text("Connect", bundle: .module), connect).disabled(token.isEmpty)
        }
    }

    private func connect() async throws(CodeProblem) { try await client.setToken(token) }

    private func fingerprintText(_ fingerprint: Fingerprint) -> some View {
        Text(verbatim: fingerprint.groups)
            .font(.callout)
            .monospaced()
            .lineSpacing(4)
            .textSelection(.enabled)
            .card(padding: 12)
    }

    private func main(_ words: Text, _ action: @escaping @MainActor () async throws(CodeProblem) -> Void) -> some View {
        Button(words) { run(action) }
            .buttonStyle(WideButtonStyle())
    }

    private func other(_ words: Text, _ action: @escaping @MainActor () async throws(CodeProblem) -> Void) -> some View {
        Button(words) { run(action) }
            .buttonStyle(WideButtonStyle(role: .destructive))
    }

    private func run(_ action: @escaping @MainActor () async throws(CodeProblem) -> Void) {
        command.run {
            try await action()
            close()
        }
    }
}
