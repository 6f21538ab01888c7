import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The section that adds a server by its QR code, from the camera or as text.
struct QRCodeSettings: View {
    let client: AgentClient
    let phone: Phone
    @State private var command = UserCommand()
    /// True once the app could not read the clipboard; the user then pastes into a field.
    @State private var cannotPaste = false
    @State private var typed = ""
    @State private var canScan = false
    @Environment(\.isPageSecure) private var isPageSecure
    @Environment(\.locale) private var locale

    var body: some View {
        Section {
            // On a page that is not secure, a tap explains why there is no camera.
            if canScan || !isPageSecure {
                action("qrcode.viewfinder", Text("Scan QR Code", bundle: .module)) { scan() }
            }
            action("doc.on.doc", Text("Paste QR Text", bundle: .module)) { paste() }
                .task { canScan = await client.canScan() }
            if cannotPaste {
                PasteProblem()
                field
            }
            if let problem = command.problem { ProblemText(problem: problem) }
        } header: {
            Text("Add a Server", bundle: .module)
        } footer: {
            Text("“switchboard endlesscode host” prints the QR code, and its text below it.", bundle: .module)
        }
    }

    private var field: some View {
        TextField("", text: $typed, prompt: Text("Text of the QR code", bundle: .module))
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
            .submitLabel(.go)
            .onSubmit { add(typed) }
            .fieldTouchArea()
            .accessibilityLabel(Text("Text of the QR code", bundle: .module))
            .accessibilityIdentifier("qr-text")
            .fullHeightRow()
    }

    private func action(_ symbol: String, _ words: Text, _ act: @escaping () -> Void) -> some View {
        Button {
            act()
        } label: {
            Label {
                words
            } icon: {
                Image(systemName: symbol)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            .contentShape(Rectangle())
        }
        .disabled(command.isRunning)
    }

    private func paste() {
        // The task runs in the tap, because browsers give the clipboard only to handlers of gestures.
        command.run {
            let text = try? await phone.clipboard.paste()
            cannotPaste = text == nil
            if let text { try await client.addServer(link: text) }
        }
    }

    private func add(_ text: String) {
        command.run {
            try await client.addServer(link: text)
            (cannotPaste, typed) = (false, "")
        }
    }

    private func scan() {
        // The phone shows the prompt, not a view.
        let word = WordTable(.module, locale)
        let prompt = word("Point the camera at the QR code that the server shows in its terminal.")
        command.run { _ = try await client.scanServer(prompt: prompt) }
    }
}

/// The section that adds a server by its address and token, with a test.
struct ManualSettings: View {
    let client: AgentClient
    @State private var form: ServerForm
    @State private var command = UserCommand()
    @FocusState private var isTokenFocused: Bool
    @Environment(\.palette) private var palette

    init(client: AgentClient) {
        self.client = client
        _form = State(initialValue: client.makeForm())
    }

    var body: some View {
        Section {
            address.onChange(of: client.current) { form = client.makeForm() }
            token
            test
            TestResult(form: form)
            save
            if let problem = command.problem { ProblemText(problem: problem) }
        } header: {
            Text("By Hand", bundle: .module)
        }
    }

    // MARK: Fields

    private var address: some View {
        VStack(alignment: .leading, spacing: 2) {
            TextField("", text: $form.address, prompt: Text("Address, such as 192.168.0.7", bundle: .module))
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .keyboardType(.URL)
                .textContentType(.URL)
                .submitLabel(.next)
                .onSubmit { isTokenFocused = true }
                .fieldTouchArea()
                .accessibilityLabel(Text("Address", bundle: .module))
                .accessibilityIdentifier("address")
            if let problem = form.addressProblem { hint(problem.words) }
        }
        .fullHeightRow()
    }

    private var token: some View {
        VStack(alignment: .leading, spacing: 2) {
            SecureField("", text: $form.token, prompt: Text("Token", bundle: .module))
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.go)
                .onSubmit { if canSave { saveForm() } }
                .fieldTouchArea($isTokenFocused)
                .accessibilityLabel(Text("Token", bundle: .module))
                .accessibilityIdentifier("token")
            if form.isTokenInvalid {
                hint(String(localized: "This is not a token. Copy it again from the server’s terminal.", bundle: .module))
            }
        }
        .fullHeightRow()
    }

    private func hint(_ words: String) -> some View {
        Text(verbatim: words)
            .font(.footnote)
            .foregroundStyle(palette.error)
            .padding(.bottom, 6)
            .accessibilityIdentifier("hint")
            .announces(words)
    }

    private var test: some View {
        CommandButton {
            await form.test()
        } label: {
            Text("Test Connection", bundle: .module).frame(maxWidth: .infinity, alignment: .leading)
        }
        .disabled(!form.canSave || isTesting)
    }

    private var save: some View {
        Button(Text("Save and Connect", bundle: .module)) { saveForm() }
            .buttonStyle(WideButtonStyle())
            .disabled(!canSave)
            .padding(.vertical, 4)
    }

    private var canSave: Bool { form.canSave && !command.isRunning }

    private func saveForm() { command.run { try await form.save() } }

    private var isTesting: Bool { if case .testing = form.phase { true } else { false } }
}

/// The progress and the result of a connection test.
private struct TestResult: View {
    let form: ServerForm
    @Environment(\.palette) private var palette

    var body: some View {
        switch form.phase {
        case .idle: EmptyView()
        case .testing(let step):
            line(step.progress) {
                ProgressView()
                Text(verbatim: step.progress).foregroundStyle(palette.secondary)
            }
        case .asksCertificate(let fingerprint): certificate(fingerprint)
        case .asksPlainHTTP: plainHTTP
        case .asksCellular: cellular
        case .works(let stats):
            line(String(localized: "The connection works", bundle: .module)) {
                Image(systemName: "checkmark.circle.fill").foregroundStyle(palette.success).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 2) {
                    Text("The connection works", bundle: .module)
                    Text("\(stats.activeSessions) of \(stats.totalSessions) sessions running", bundle: .module)
                        .font(.footnote)
                        .foregroundStyle(palette.secondary)
                }
            }
        case .failed(let step, let problem):
            VStack(alignment: .leading, spacing: 6) {
                line("\(step.failure). \(problem.words)") {
                    Image(systemName: "xmark.circle.fill").foregroundStyle(palette.error).accessibilityHidden(true)
                    Text(verbatim: step.failure).font(.headline)
                }
                Text(verbatim: problem.words).font(.subheadline)
                if case .certificateChanged(let expected, let found) = problem {
                    ChangedCertificate(expected: expected, found: found)
                }
            }
            .padding(.vertical, 4)
        }
    }

    /// - Parameter words: The announcement to users of a screen reader.
    private func line(_ words: String, @ViewBuilder _ content: () -> some View) -> some View {
        HStack(spacing: 10) { content() }
            .accessibilityGroup("test-result")
            .announces(words)
    }

    private func certificate(_ fingerprint: Fingerprint) -> some View {
        question {
            Text("Is This Your Server?", bundle: .module).font(.headline)
            Text("Compare these digits with those that the server shows in its terminal.", bundle: .module).font(.subheadline)
            FingerprintText(title: Text("Certificate", bundle: .module), fingerprint: fingerprint)
            answer(Text("They Are the Same", bundle: .module), true)
            answer(Text("They Differ", bundle: .module), false, .destructive)
        }
    }

    private var plainHTTP: some View {
        question {
            Text("Send the Token Without Encryption?", bundle: .module).font(.headline)
            Text(
                "Everybody on the network between this phone and the server can read the token, and then control your agents.",
                bundle: .module
            )
            .font(.subheadline)
            answer(Text("Don’t Send", bundle: .module), false)
            answer(Text("Send Anyway", bundle: .module), true, .destructive)
        }
    }

    private var cellular: some View {
        question {
            Text("There is no Wi-Fi. Connecting uses cellular data.", bundle: .module).font(.subheadline)
            answer(Text("Use Cellular Data", bundle: .module), true)
            answer(Text("Don’t Use", bundle: .module), false, .other)
        }
    }

    private func question(@ViewBuilder _ content: () -> some View) -> some View {
        VStack(alignment: .leading, spacing: 10) { content() }.padding(.vertical, 6)
    }

    private func answer(_ words: Text, _ isAccepted: Bool, _ role: WideButtonStyle.Role = .main) -> some View {
        CommandButton(words) { await form.answer(isAccepted) }
            .buttonStyle(WideButtonStyle(role: role))
    }
}

@MainActor
extension ServerForm.Step {
    /// The text about a step that is running.
    fileprivate var progress: String {
        switch self {
        case .address: String(localized: "Checking the address", bundle: .module)
        case .network: String(localized: "Connecting to the server", bundle: .module)
        case .tls: String(localized: "Securing the connection", bundle: .module)
        case .token: String(localized: "Checking the token", bundle: .module)
        case .server: String(localized: "Asking the server", bundle: .module)
        }
    }

    /// The text about a step that failed.
    fileprivate var failure: String {
        switch self {
        case .address: String(localized: "Failed: the address", bundle: .module)
        case .network: String(localized: "Failed: the network", bundle: .module)
        case .tls: String(localized: "Failed: the certificate", bundle: .module)
        case .token: String(localized: "Failed: the token", bundle: .module)
        case .server: String(localized: "Failed: the server", bundle: .module)
        }
    }
}
