import PlatformKit
import WireKit

// A phone retains these values; they hold the phone weakly.

struct PageNotifications: Notifications {
    weak let phone: BrowserPhone?
    let app: String

    // Without a page, or in a browser without notifications, there is no permission.
    func permission() async -> NotificationPermission { await request("notification.permission") ?? .denied }

    func requestPermission() async -> NotificationPermission {
        // Some browsers prompt so discreetly that the user does not answer.
        if let answer = await request("notification.request", timeout: .seconds(20)) { return answer }
        return await permission()
    }

    // Without a key a page has no address.
    @MainActor func pushAddress(key: String?) async -> PushAddress? {
        guard let key, let phone, let notifications = phone.notifications(of: app) else { return nil }
        return await notifications.address(key: key) { try await phone.request("push.subscribe", in: app) { $0.string(key) } }
    }

    @MainActor func addressChanges() -> AsyncStream<Void> {
        phone?.notifications(of: app)?.addressChanges() ?? AsyncStream { $0.finish() }
    }

    @MainActor func setBadge(_ count: Int) async {
        phone?.notifications(of: app)?.setBadge(max(count, 0)) { count in
            phone?.notifyAll("badge", in: app) { $0.integer(count) } ?? false
        }
    }

    /// - Returns: nil when there is no answer.
    private func request(_ name: StaticString, timeout: Duration = PageSession.requestTimeout) async -> NotificationPermission? {
        guard case .string(let word)? = try? await phone?.request(name, in: app, timeout: timeout) else { return nil }
        return word == "granted" ? .granted : word == "denied" ? .denied : .undecided
    }

    func show(_ notification: LocalNotification) async throws {
        _ = try await phone.orAbsent().request("notification.show", in: app) { json in
            json.object { json in
                json.key("tag")
                json.string(notification.id)
                json.key("title")
                json.string(notification.title)
                json.key("body")
                json.string(notification.body)
            }
        }
    }

    @MainActor func remove(id: String) async {
        // Without a service worker only the page that has shown the notification can remove it.
        phone?.notifications(of: app)?.remove(id) { id in
            phone?.notifyAll("notification.clear", in: app) { $0.string(id) } ?? false
        }
    }

    @MainActor func taps() -> AsyncStream<String> {
        phone?.notifications(of: app)?.tapStream() ?? AsyncStream { $0.finish() }
    }
}

struct PageClipboard: Clipboard {
    weak let phone: BrowserPhone?

    func copy(_ text: String) async throws { _ = try await phone.orAbsent().request("clipboard.write") { $0.string(text) } }

    func paste() async throws -> String {
        guard case .string(let text) = try await phone.orAbsent().request("clipboard.read") else {
            throw PhoneError.failed("the clipboard has no text")
        }
        return text
    }
}

struct PageSounds: Sounds {
    weak let phone: BrowserPhone?

    func play(_ sound: Sound) async {
        await notify("sound.play") { json in
            json.object { json in
                json.key("wave")
                json.string(sound.wave.rawValue)
                json.key("notes")
                json.array { json in
                    for note in sound.notes {
                        json.array { json in
                            json.number(note.frequency)
                            json.integer(note.duration.milliseconds)
                            json.number(note.gain)
                        }
                    }
                }
            }
        }
    }

    func vibrate(_ pattern: [Duration]) async {
        await notify("vibrate") { json in
            json.array { json in
                for duration in pattern { json.integer(duration.milliseconds) }
            }
        }
    }

    /// Sends a request without a reply, since a lost sound is acceptable.
    @MainActor private func notify(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
        phone?.session()?.notify(name, value)
    }
}

struct PageNetworkPath: NetworkPath {
    weak let phone: BrowserPhone?
    @MainActor func links() -> AsyncStream<NetworkLink> { phone?.networkLinks() ?? AsyncStream { $0.finish() } }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}

extension BrowserPhone? {
    /// - Throws: ``PhoneError/absent``.
    fileprivate func orAbsent() throws -> BrowserPhone {
        guard let phone = self else { throw PhoneError.absent }
        return phone
    }
}
