import LocalLLMClient
import LocalLLMWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Connect screen: the Server ID, the state of the connection, and the saved hosts.
struct ConnectView: View {
    @Bindable var client: ChatClient
    let phone: Phone
    let window: AppWindow
    @State private var scanning: Task<Void, Never>?
    @State private var scanProblem: PhoneError?
    @State private var cannotPaste = false
    @Environment(\.palette) private var palette
    @Environment(\.locale) private var locale

    var body: some View {
        ScrollView {
            VStack(spacing: 20) {
                header
                field
                if let scanProblem { CameraProblem(problem: scanProblem) }
                if cannotPaste { PasteProblem() }
                if let question = client.keyQuestion { KeyQuestionView(question: question, client: client) }
                if client.keyQuestion == nil {
                    if client.problem != nil || client.link != .idle { ConnectStatus(client: client) }
                    buttons
                }
                if !client.hosts.isEmpty { SavedHosts(client: client) }
                if !client.offeredHosts.isEmpty { OfferedHosts(client: client) }
                PrivacyLink(phone.privacyPolicy)
            }
            .padding(24)
            .column()
        }
        .page()
        .onDisappear { scanning?.cancel() }
        .onChange(of: client.link) { scanProblem = nil }
        .onChange(of: client.address) { cannotPaste = false }
    }

    private var header: some View {
        VStack(spacing: 8) {
            Image(systemName: "desktopcomputer").font(.system(size: 44)).foregroundStyle(palette.accent).accessibilityHidden(true)
            TitleText(title: "LocalLLM", window: window, phone: phone).font(.title.bold())
            Text("Chat with the model on your own computer. Run “switchboard localllm host” there.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.secondary)
                .multilineTextAlignment(.center)
        }
    }

    private var field: some View {
        HStack(spacing: 4) {
            TextField("", text: $client.address, prompt: Text("Server ID", bundle: .module))
                .textFieldStyle(.plain)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.go)
                .onSubmit { client.connect() }
                .padding(.leading, 14)
                .frame(minHeight: 48)
                .fieldTouchArea()
                .accessibilityLabel(Text("Server ID", bundle: .module))
                .accessibilityIdentifier("server-id")
            CommandButton(paste) { Text("Paste", bundle: .module).fixedSize() }
                .buttonStyle(TextButtonStyle())
            SymbolButton(symbol: "qrcode.viewfinder", Text("Scan QR Code", bundle: .module)) {
                // The task belongs to the tap and not to the view: a screen that appears again does not scan again.
                scanning?.cancel()
                scanning = Task { await scan() }
            }
        }
        .fieldBackground()
    }

    @ViewBuilder private var buttons: some View {
        if client.link == .idle {
            Button(Text("Connect", bundle: .module)) { client.connect() }
                .buttonStyle(WideButtonStyle())
                .disabled(client.address.allSatisfy(\.isWhitespace))
        } else {
            Button(Text("Cancel", bundle: .module)) { client.disconnect() }
                .buttonStyle(TextButtonStyle())
        }
    }

    /// Pastes into the field. Runs in the tap's handler, since browsers permit access to the clipboard only there.
    private func paste() async {
        let text = try? await phone.clipboard.paste()
        cannotPaste = text == nil
        if let text { client.address = text }
    }

    /// Scans a QR code, fills the field with its text, and connects. Any code is accepted; a wrong one leads to an error message.
    private func scan() async {
        scanProblem = nil
        do {
            guard let text = try await phone.scanner.text(prompt: scanPrompt(locale), where: { _ in true }) else { return }
            client.address = text
            client.connect()
        } catch let problem as PhoneError {
            // Without a page no message can be shown.
            if problem != .absent { scanProblem = problem }
        } catch {
            // Cancelled, because the screen has disappeared.
        }
    }
}

/// The failure of the camera, and the alternative to it.
private struct CameraProblem: View {
    let problem: PhoneError
    @Environment(\.isPageSecure) private var isPageSecure
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: "camera.fill").accessibilityHidden(true)
            Text(verbatim: words).font(.subheadline)
        }
        .foregroundStyle(palette.error)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup("camera-problem")
        .announces(words)
    }

    private var words: String {
        if !isPageSecure { return .insecurePage(String(localized: "Paste the Server ID instead.", bundle: .module)) }
        return switch problem {
        case .denied:
            String(
                localized: "The camera isn’t allowed. Allow it for this app in the settings, or paste the Server ID.",
                bundle: .module)
        case .unsupported:
            String(localized: "There is no camera that this app can use. Paste the Server ID instead.", bundle: .module)
        default:
            String(
                localized: "The camera couldn’t be opened. Close other apps that use it and try again, or paste the Server ID.",
                bundle: .module)
        }
    }
}

/// The step in progress, or the failure.
private struct ConnectStatus: View {
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            if let problem = client.problem { ProblemText(problem: problem) }
            switch client.link {
            case .idle, .open: EmptyView()
            case .connecting(let step): row(step.words)
            case .waiting(let problem): waiting(problem)
            }
            PhoneName(client: client)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    @ViewBuilder private func waiting(_ problem: ChatProblem) -> some View {
        row(String(localized: "Trying again in a moment", bundle: .module))
        if problem != client.problem { Text(verbatim: problem.words).font(.footnote).foregroundStyle(palette.secondary) }
    }

    private func row(_ words: String) -> some View {
        HStack(spacing: 8) {
            ProgressView()
            Text(verbatim: words).font(.subheadline).foregroundStyle(palette.secondary)
        }
        .accessibilityGroup("status")
        .announces(words)
    }
}

/// The question about a host whose key has changed.
private struct KeyQuestionView: View {
    let question: KeyQuestion
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            HStack(spacing: 8) {
                Image(systemName: "exclamationmark.triangle.fill").foregroundStyle(palette.error).accessibilityHidden(true)
                Text("The key of this host has changed", bundle: .module).font(.headline).accessibilityAddTraits(.isHeader)
            }
            Text(
                "Somebody else may be answering. Continue only if you know why, for example because the host was set up again. Nothing was sent yet.",
                bundle: .module
            )
            .font(.subheadline)
            key(Text("Known key", bundle: .module), question.knownKey)
            key(Text("New key", bundle: .module), question.newKey)
            VStack(spacing: 4) {
                refuseButton
                acceptButton
            }
        }
        .card()
        .accessibilityElement(children: .contain)
        .announces(String(localized: "The key of this host has changed", bundle: .module))
    }

    private var refuseButton: some View {
        Button(Text("Don’t Connect", bundle: .module)) { client.acceptKey(false) }
            .buttonStyle(WideButtonStyle())
    }

    private var acceptButton: some View {
        Button {
            client.acceptKey(true)
        } label: {
            Text("Trust the New Key", bundle: .module).foregroundStyle(palette.error).frame(maxWidth: .infinity)
        }
        .buttonStyle(TextButtonStyle())
    }

    private func key(_ title: Text, _ key: String) -> some View {
        VStack(alignment: .leading, spacing: 2) {
            title.font(.caption).foregroundStyle(palette.secondary)
            Text(verbatim: key).font(.caption).monospaced()
        }
    }
}

/// The hosts that can be used without a Server ID.
private struct OfferedHosts: View {
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            Text("Try it here", bundle: .module).font(.headline).accessibilityAddTraits(.isHeader)
            ForEach(client.offeredHosts) { row($0) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    private func row(_ host: OfferedHost) -> some View {
        Button {
            client.connect(to: host.id)
        } label: {
            HStack(spacing: 8) {
                VStack(alignment: .leading, spacing: 2) {
                    Text(verbatim: host.name).font(.headline).lineLimit(1)
                    Text("Built into this server, without a language model", bundle: .module)
                        .font(.caption)
                        .foregroundStyle(palette.secondary)
                }
                Spacer()
                Image(systemName: "chevron.forward").foregroundStyle(palette.secondary).accessibilityHidden(true)
            }
            .frame(maxWidth: .infinity, minHeight: Metrics.control)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityIdentifier("host \(host.id)")
        .card()
    }
}

/// The hosts that this phone was connected to.
private struct SavedHosts: View {
    let client: ChatClient
    @State private var removed: SavedHost?
    @State private var confirmsRemoval = false
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            Text("Saved hosts", bundle: .module).font(.headline).accessibilityAddTraits(.isHeader)
            ForEach(client.hosts) { row($0) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .confirmationDialog(Text("Remove this host?", bundle: .module), isPresented: $confirmsRemoval, titleVisibility: .visible) {
            Button(Text("Remove Host", bundle: .module), role: .destructive) { if let removed { client.removeHost(removed.id) } }
        } message: {
            Text("Its transcript will be removed from this phone.", bundle: .module)
        }
    }

    private func row(_ host: SavedHost) -> some View {
        HStack(spacing: 8) {
            Button {
                client.connect(to: host.id)
            } label: {
                HStack(spacing: 8) {
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: host.name).font(.headline).lineLimit(1)
                        Text(verbatim: host.model).font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
                    }
                    Spacer()
                    TrustMark(isVerified: host.isVerified)
                }
                .frame(maxWidth: .infinity, minHeight: Metrics.control)
                .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .accessibilityIdentifier("host \(host.id)")
            SymbolButton(symbol: "trash", Text("Remove \(host.name)", bundle: .module), color: palette.secondary) {
                removed = host
                confirmsRemoval = true
            }
        }
        .card()
    }
}
