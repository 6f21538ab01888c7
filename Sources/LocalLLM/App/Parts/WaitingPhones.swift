import LocalLLMClient
import LocalLLMWire
import SwiftUI
import ViewKit

/// The new phones that this phone may allow or refuse, shown one at a time.
struct WaitingPhones: View {
    let client: ChatClient
    @Environment(\.palette) private var palette

    /// Count of the characters of a phone's key that both phones show.
    private static let nameLength = 8

    var body: some View {
        VStack(spacing: 0) {
            if let phone = client.info?.waiting.first { row(phone) }
        }
        .padding(.horizontal, Metrics.padding)
        .padding(.top, 8)
        .column()
    }

    private func row(_ phone: String) -> some View {
        let name = String(phone.prefix(Self.nameLength))
        let words = String(localized: "A new phone wants to use this host: \(name)", bundle: .module)
        return VStack(alignment: .leading, spacing: 4) {
            Text(verbatim: words).font(.headline)
            Text("Allow it only if that phone shows the same name.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.secondary)
            HStack(spacing: 20) {
                Button(Text("Allow", bundle: .module)) { client.decide(about: phone, isApproved: true) }
                Button(Text("Refuse", bundle: .module)) { client.decide(about: phone, isApproved: false) }
            }
            .buttonStyle(TextButtonStyle(alignment: .leading))
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .card()
        .accessibilityGroup("waiting")
        .announces(words)
    }
}

/// The name under which the host and its phones show this phone, while this phone waits for approval.
struct PhoneName: View {
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        if isAskedAbout, !client.phoneName.isEmpty {
            Text("The computer, and phones that use it, show this phone as \(client.phoneName).", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.secondary)
        }
    }

    private var isAskedAbout: Bool {
        client.link == .connecting(.approval) || client.link == .connecting(.approvalWithoutInvitation)
    }
}
