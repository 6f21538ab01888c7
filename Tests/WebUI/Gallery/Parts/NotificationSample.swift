import PlatformKit
import SwiftUI

/// Permission, push address and taps, as an app follows them.
struct NotificationSample: View {
    @Environment(\.phone) private var phone
    @State private var permission: NotificationPermission?
    @State private var address = "unknown"
    @State private var lastTap = "none"
    @State private var badge = 0

    /// The public key of a service: any point of P-256. The private key is known to nobody.
    private static let key = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
    private static let id = "gallery"

    var body: some View {
        Sample("Notifications") {
            ValueRow("Permission", permission?.rawValue ?? "unknown", identifier: "permission")
            ValueRow("Push address", address, identifier: "pushAddress")
            ValueRow("Last tap", lastTap, identifier: "lastTap")
            HStack {
                Button("Ask") { Task { await ask() } }
                Button("Show") { Task { await show() } }
                Button("Remove") { Task { await phone?.notifications.remove(id: Self.id) } }
                Button("Badge \(badge)") { Task { await count() } }
            }
            .buttonStyle(.bordered)
        }
        .task { await follow() }
        .task { await followTaps() }
    }

    private func follow() async {
        guard let changes = phone?.notifications.addressChanges() else { return }
        await look()
        for await _ in changes { await look() }
    }

    private func followTaps() async {
        guard let taps = phone?.notifications.taps() else { return }
        for await id in taps { lastTap = id }
    }

    private func look() async {
        permission = await phone?.notifications.permission()
        address = await phone?.notifications.pushAddress(key: Self.key)?.text ?? "none"
    }

    private func ask() async {
        _ = await phone?.notifications.requestPermission()
        await look()
    }

    private func show() async {
        try? await phone?.notifications.show(LocalNotification(id: Self.id, title: "From the page", body: "A local notification"))
    }

    private func count() async {
        badge += 1
        await phone?.notifications.setBadge(badge)
    }
}
