import PlatformKit
import WireKit

// A phone holds these: they do not hold it.

struct PageNotifications: Notifications {
    weak let phone: BrowserPhone?
    let app: String

    // Without a page, or in a browser that cannot, there is no permission.
    func permission() async -> NotificationPermission { await ask("notification.permission") ?? .denied }

    func requestPermission() async -> NotificationPermission {
        // Some browsers ask so quietly that nobody answers.
        if let answer = await ask("notification.request", patience: .seconds(20)) { return answer }
        return await permission()
    }

    // Web Push is not there yet.
    func pushToken() async -> String? { nil }

    /// - Returns: nil when there is no answer.
    private func ask(_ name: StaticString, patience: Duration = PageSession.patience) async -> NotificationPermission? {
        guard case .string(let word)? = try? await phone?.ask(name, in: app, patience: patience) else { return nil }
        return word == "granted" ? .granted : word == "denied" ? .denied : .undecided
    }

    func show(_ notification: LocalNotification) async throws {
        _ = try await phone.orAbsent().ask("notification.show", in: app) { json in
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

    func remove(id: String) async {
        // Only the page that showed it can, and any may be that. Without pages it is gone already.
        await phone?.tellAll("notification.clear", in: app) { $0.string(id) }
    }

    @MainActor func taps() -> AsyncStream<String> { phone?.notificationTaps(in: app) ?? AsyncStream { $0.finish() } }
}

struct PageClipboard: Clipboard {
    weak let phone: BrowserPhone?

    func copy(_ text: String) async throws { _ = try await phone.orAbsent().ask("clipboard.write") { $0.string(text) } }

    func paste() async throws -> String {
        guard case .string(let text) = try await phone.orAbsent().ask("clipboard.read") else {
            throw PhoneError.failed("the clipboard has no text")
        }
        return text
    }
}

struct PageSounds: Sounds {
    weak let phone: BrowserPhone?

    func play(_ sound: Sound) async {
        await tell("sound.play") { json in
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
        await tell("vibrate") { json in
            json.array { json in
                for duration in pattern { json.integer(duration.milliseconds) }
            }
        }
    }

    /// Nobody waits for a sound, and nobody minds one that is not heard.
    @MainActor private func tell(_ name: StaticString, _ value: (inout JSONWriter) -> Void) { phone?.session()?.tell(name, value) }
}

struct PageNetworkPath: NetworkPath {
    weak let phone: BrowserPhone?
    @MainActor func changes() -> AsyncStream<Bool> { phone?.networkChanges() ?? AsyncStream { $0.finish() } }
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
