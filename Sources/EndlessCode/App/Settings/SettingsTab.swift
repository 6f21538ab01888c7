import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Settings tab: the servers of this phone, and the ways to add one.
struct SettingsTab: View {
    let client: AgentClient
    let phone: Phone
    let navigation: AppNavigation
    @State private var search: ServerSearch

    init(client: AgentClient, phone: Phone, navigation: AppNavigation) {
        (self.client, self.phone, self.navigation) = (client, phone, navigation)
        _search = State(initialValue: client.makeSearch())
    }

    var body: some View {
        NavigationStack {
            List {
                if client.server != nil { CurrentServer(client: client) }
                if client.servers.contains(where: { !$0.isOffered }) { SavedServers(client: client) }
                if client.asksForPhoneName { PhoneNameSettings(client: client) }
                QRCodeSettings(client: client, phone: phone)
                FoundServers(client: client, search: search)
                ManualSettings(client: client)
                NotificationSettings(client: client)
                CellularSettings(client: client)
                AboutSettings()
                PrivacyLink(phone.privacyPolicy)
            }
            .listStyle(.insetGrouped)
            .refreshable { await search.refresh() }
            .task { await search.run() }
            .bar(Text("Settings", bundle: .module), client, navigation)
        }
    }
}

// MARK: The server in use

/// The state of the connection, and the decision it waits for.
private struct CurrentServer: View {
    let client: AgentClient
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            HStack(spacing: 10) {
                ConnectionStatus(client.status, goodNews: .connected, unknown: .connecting) {
                    Circle().fill($0.color(in: palette)).frame(width: 10, height: 10).accessibilityHidden(true)
                }
                VStack(alignment: .leading, spacing: 2) {
                    Text(verbatim: client.server?.title ?? "").font(.headline).lineLimit(1)
                    ConnectionStatus(client.status, goodNews: .connected, unknown: .connecting) {
                        Text(verbatim: words(for: $0)).font(.footnote).foregroundStyle(palette.secondary)
                    }
                }
            }
            .accessibilityGroup("server-state")
            if case .certificateChanged(let expected, let found) = client.hold {
                ChangedCertificate(expected: expected, found: found)
            }
            if client.hold != nil, !isQuestion {
                Button(Text("Try Again", bundle: .module)) { client.reconnect() }
            }
        } header: {
            Text("Server", bundle: .module)
        }
    }

    /// True if the banner above the tabs asks the user.
    private var isQuestion: Bool {
        switch client.hold {
        case .cellular, .certificate, .plainHTTP, .tokenMissing: true
        default: false
        }
    }

    private func words(for status: AgentClient.Status) -> String {
        if let hold = client.hold { return hold.words(after: client.problem) }
        return status == .disconnected ? client.problem?.words ?? status.words : status.words
    }
}

/// The pinned certificate and the one that the server has now.
struct ChangedCertificate: View {
    let expected: Fingerprint
    let found: Fingerprint

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text(
                "Nothing was sent. Continue only if you know why, for example because the server was set up again: then scan its QR code.",
                bundle: .module
            )
            .font(.subheadline)
            FingerprintText(title: Text("Expected", bundle: .module), fingerprint: expected)
            FingerprintText(title: Text("Found", bundle: .module), fingerprint: found)
        }
        .padding(.vertical, 6)
        .accessibilityGroup("changed-certificate")
    }
}

/// A fingerprint to be compared with the terminal.
struct FingerprintText: View {
    let title: Text
    let fingerprint: Fingerprint
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            title.font(.caption).foregroundStyle(palette.secondary)
            Text(verbatim: fingerprint.groups).font(.footnote).monospaced().lineSpacing(3).textSelection(.enabled)
        }
    }
}

// MARK: Saved servers

private struct SavedServers: View {
    let client: AgentClient
    @State private var command = UserCommand()
    @State private var removed: SavedServer?
    @State private var asksForRemoval = false

    var body: some View {
        Section {
            ForEach(client.servers) { server in
                SavedServerRow(
                    server: server, isCurrent: server.id == client.current,
                    use: { command.runNext { try await client.use(server.id) } },
                    remove: {
                        removed = server
                        asksForRemoval = true
                    })
            }
            if let problem = command.problem { ProblemText(problem: problem) }
        } header: {
            title
        }
    }

    /// The title of the section. It holds the one dialog for all rows; a dialog of the section would be repeated for each row.
    private var title: some View {
        Text("Saved Servers", bundle: .module)
            .confirmationDialog(
                Text("Remove this server?", bundle: .module), isPresented: $asksForRemoval, titleVisibility: .visible
            ) {
                Button(Text("Remove Server", bundle: .module), role: .destructive) {
                    if let removed { command.runNext { try await client.removeServer(removed.id) } }
                }
            } message: {
                Text("Its token, and what this phone knows of its sessions, are removed from the phone.", bundle: .module)
            }
    }
}

private struct SavedServerRow: View {
    let server: SavedServer
    let isCurrent: Bool
    let use: () -> Void
    let remove: () -> Void
    @Environment(\.palette) private var palette

    private var place: Text {
        server.isOffered ? Text("Comes with this app, for trying it", bundle: .module) : Text(verbatim: "\(server.address)")
    }

    var body: some View {
        HStack(spacing: 4) {
            Button {
                use()
            } label: {
                HStack(spacing: 10) {
                    Image(systemName: "checkmark")
                        .foregroundStyle(palette.accent)
                        .opacity(isCurrent ? 1 : 0)
                        .frame(width: 20)
                        .accessibilityHidden(true)
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: server.title).lineLimit(1)
                        place.font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                    if server.isPinned {
                        Image(systemName: "lock.fill")
                            .font(.footnote)
                            .foregroundStyle(palette.success)
                            .accessibilityLabel(Text("Certificate confirmed", bundle: .module))
                    }
                }
                .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .accessibilityAddTraits(isCurrent ? .isSelected : [])
            .accessibilityIdentifier("server \(server.title)")
            if !server.isOffered {
                SymbolButton(symbol: "trash", Text("Remove \(server.title)", bundle: .module), color: palette.secondary) {
                    remove()
                }
            }
        }
    }
}

// MARK: Name of the phone

private struct PhoneNameSettings: View {
    let client: AgentClient
    @State private var name = ""

    var body: some View {
        Section {
            TextField("", text: $name, prompt: Text("Name of this phone", bundle: .module))
                .autocorrectionDisabled()
                .submitLabel(.done)
                .onSubmit { client.setPhoneName(name) }
                .fieldTouchArea()
                .accessibilityLabel(Text("Name of this phone", bundle: .module))
                .accessibilityIdentifier("phone-name")
                .onChange(of: client.phoneName, initial: true) { name = client.phoneName }
                .fullHeightRow()
            if name != client.phoneName {
                Button(Text("Save Name", bundle: .module)) { client.setPhoneName(name) }
            }
        } header: {
            Text("This Phone", bundle: .module)
        } footer: {
            Text("The server and your other phones show this phone under this name.", bundle: .module)
        }
    }
}

// MARK: Servers on the network

private struct FoundServers: View {
    let client: AgentClient
    let search: ServerSearch
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            ForEach(search.servers) { server in
                Button {
                    command.run { try await client.addServer(server) }
                } label: {
                    row(server).contentShape(Rectangle())
                }
                .buttonStyle(.plain)
                .disabled(server.address == nil || command.isRunning)
                .accessibilityIdentifier("found \(server.name)")
            }
            if let problem = command.problem { ProblemText(problem: problem) }
            state
        } header: {
            Text("On This Network", bundle: .module)
        }
    }

    private func row(_ server: FoundServer) -> some View {
        HStack(spacing: 10) {
            Image(systemName: "desktopcomputer").foregroundStyle(palette.accent).frame(width: 24).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: server.name).lineLimit(1)
                if let address = server.address {
                    Text(verbatim: "\(address)").font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
                } else {
                    Text("This phone cannot reach it", bundle: .module).font(.caption).foregroundStyle(palette.secondary)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if !server.isKnown { Image(systemName: "plus").foregroundStyle(palette.accent).accessibilityHidden(true) }
        }
    }

    @ViewBuilder private var state: some View {
        switch search.phase {
        case .searching:
            HStack(spacing: 10) {
                ProgressView()
                Text("Searching for servers", bundle: .module).foregroundStyle(palette.secondary)
            }
        case .nothingFound:
            words(
                String(localized: "No server found", bundle: .module),
                Text("Enter the address by hand below, or use the QR code in the server’s terminal.", bundle: .module))
        case .found: EmptyView()
        case .failed(.denied):
            words(
                String(localized: "The search is not allowed", bundle: .module),
                Text("Allow the local network for this app in the phone’s settings, or enter the address by hand.", bundle: .module)
            )
        case .needs(let program):
            words(
                String(localized: "This phone cannot search for servers", bundle: .module),
                program.isInstalled
                    ? Text(
                        "On the computer of this box, \(program.name) is installed but does not run. Start it there: sudo systemctl start \(program.name)",
                        bundle: .module)
                    : Text(
                        "The computer of this box lacks the package \(program.name). Install it there, or enter the address by hand below.",
                        bundle: .module))
        case .failed:
            words(
                String(localized: "This phone cannot search for servers", bundle: .module),
                Text("Enter the address by hand below, or use the QR code in the server’s terminal.", bundle: .module))
        }
    }

    private func words(_ title: String, _ advice: Text) -> some View {
        VStack(alignment: .leading, spacing: 2) {
            Text(verbatim: title)
            advice.font(.footnote).foregroundStyle(palette.secondary)
        }
        .padding(.vertical, 6)
        .accessibilityElement(children: .contain)
        .announces(title)
    }
}

// MARK: Other settings

private struct CellularSettings: View {
    let client: AgentClient
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            HStack(spacing: 10) {
                Text("Network", bundle: .module)
                Spacer()
                link.foregroundStyle(palette.secondary)
            }
            if client.networkLink == .cellular, client.server != nil {
                if isDeclined {
                    Button(Text("Use Cellular Data", bundle: .module)) { client.answerCellular(true) }
                } else {
                    Button(Text("Stop Using Cellular Data", bundle: .module)) { client.answerCellular(false) }
                }
            }
        } footer: {
            Text("Without Wi-Fi the app asks before it connects. A yes holds until the network changes.", bundle: .module)
        }
    }

    private var isDeclined: Bool { client.hold == .cellular || client.hold == .cellularDeclined }

    private var link: Text {
        switch client.networkLink {
        case .none: Text("None", bundle: .module)
        case .local: Text("Wi-Fi or cable", bundle: .module)
        case .cellular: Text("Cellular", bundle: .module)
        case .localNetworkDenied: Text("Local network not allowed", bundle: .module)
        case .denied: Text("Not allowed", bundle: .module)
        }
    }
}

private struct AboutSettings: View {
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            HStack {
                Text("Language", bundle: .module)
                Spacer()
                // The name of the language, in that language.
                Text("English", bundle: .module).foregroundStyle(palette.secondary)
            }
        } footer: {
            Text("Language and dark mode follow the phone.", bundle: .module)
        }
    }
}
