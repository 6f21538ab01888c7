public import Foundation

/// A phone in memory, for tests and previews: keeps what it is told and shows what was asked of it.
@MainActor
public final class TestPhone: Sendable {
    public private(set) var secrets: [String: Data] = [:]
    public private(set) var settings: [String: Data] = [:]
    /// What the person answers when asked.
    public var answer = NotificationPermission.granted
    public private(set) var permission = NotificationPermission.undecided
    public private(set) var shown: [LocalNotification] = []
    public private(set) var played: [Sound] = []
    public private(set) var vibrations = 0
    public var copied: String?
    private var tapListeners: [AsyncStream<String>.Continuation] = []
    private var taps: [String] = []
    private var pathListeners: [AsyncStream<Bool>.Continuation] = []
    public private(set) var isOnline = true
    /// The moment of the input that is being handled; nil: now.
    public var inputTime: ContinuousClock.Instant?
    public var pushToken: String?
    /// The push service does not answer.
    public var awaitsPushToken = false
    /// Whether it can recognise its owner.
    public var hasBiometrics = false
    /// Whether the person who is asked is the owner, and wants to.
    public var recognises = true
    public private(set) var guarded: [String: Data] = [:]
    /// How often somebody was to be recognised.
    public private(set) var recognitions = 0
    public let keyboard = OnScreenKeyboard()
    public nonisolated static let appLink = URL(string: "https://box.example/apps/test/")
    /// Nothing more can be kept.
    public var isFull = false
    /// The system does not let anything be copied.
    public var refusesCopies = false
    private let folder = TestPhone.folders.appending(path: UUID().uuidString)
    /// Gone with the process: a phone whose app was never closed outlives its test, since the app and its phone hold each other.
    private nonisolated static let folders: URL = {
        atexit { try? FileManager.default.removeItem(at: TestPhone.folders) }
        return FileManager.default.temporaryDirectory.appending(path: "switchboard-phones-\(UUID().uuidString)")
    }()

    public init() {}

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The phone as an app sees it.
    public nonisolated func phone(clock: any Clock<Duration> = ContinuousClock()) -> Phone {
        Phone(
            keychain: TestKeychain(phone: self), preferences: TestPreferences(phone: self),
            notifications: TestNotifications(phone: self), clipboard: TestClipboard(phone: self), sounds: TestSounds(phone: self),
            networkPath: TestNetworkPath(phone: self), biometrics: TestBiometrics(phone: self), keyboard: keyboard,
            appLink: Self.appLink, clock: clock,
            folder: { [folder] in
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                return folder
            }, inputTime: { self.inputTime ?? .now }, instances: AppInstances())
    }

    /// Taps a notification.
    public func tapNotification(id: String) {
        tapListeners.removeAll { if case .terminated = $0.yield(id) { true } else { false } }
        if tapListeners.isEmpty { taps.append(id) }
    }

    /// Loses or finds the network.
    public func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        for listener in pathListeners { listener.yield(isOnline) }
    }

    private struct TestKeychain: Keychain {
        let phone: TestPhone
        func data(for key: String) async -> Data? { await phone.secrets[key] }
        func set(_ data: Data?, for key: String) async throws { try await phone.keep(data, key) }
    }
    private func keep(_ data: Data?, _ key: String) throws {
        if isFull { throw PhoneError.full }
        secrets[key] = data
    }

    @MainActor
    private final class TestPreferences: Preferences {
        let phone: TestPhone
        nonisolated init(phone: TestPhone) { self.phone = phone }
        func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? {
            phone.settings[key].flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
        }
        func set<Value: Codable & Sendable>(_ value: Value?, for key: String) {
            phone.settings[key] = value.flatMap { try? JSONEncoder().encode([$0]) }
        }
        func flush() async {}
    }

    private struct TestNotifications: Notifications {
        let phone: TestPhone
        func permission() async -> NotificationPermission { await phone.permission }
        func requestPermission() async -> NotificationPermission { await phone.ask() }
        func pushToken() async -> String? {
            if await phone.awaitsPushToken { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return await phone.pushToken
        }
        func show(_ notification: LocalNotification) async throws { try await phone.show(notification) }
        func remove(id: String) async { await phone.remove(id) }
        func taps() -> AsyncStream<String> {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
            phone.tapListeners.append(continuation)
            for id in phone.taps { continuation.yield(id) }
            phone.taps = []
            return stream
        }
    }
    private func ask() -> NotificationPermission {
        if permission == .undecided { permission = answer }
        return permission
    }
    private func show(_ notification: LocalNotification) throws {
        guard permission == .granted else { throw PhoneError.denied }
        remove(notification.id)
        shown.append(notification)
    }
    private func remove(_ id: String) { shown.removeAll { $0.id == id } }

    private struct TestClipboard: Clipboard {
        let phone: TestPhone
        func copy(_ text: String) async throws { try await phone.take(text) }
        func paste() async throws -> String {
            guard let text = await phone.copied else { throw PhoneError.failed("nothing was copied") }
            return text
        }
    }
    private func take(_ text: String) throws {
        if refusesCopies { throw PhoneError.denied }
        copied = text
    }

    private struct TestSounds: Sounds {
        let phone: TestPhone
        func play(_ sound: Sound) async { await phone.hear(sound) }
        func vibrate(_ pattern: [Duration]) async { await phone.feel() }
    }
    private func hear(_ sound: Sound) { played.append(sound) }
    private func feel() { vibrations += 1 }

    private struct TestNetworkPath: NetworkPath {
        let phone: TestPhone
        func changes() -> AsyncStream<Bool> {
            let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
            continuation.yield(phone.isOnline)
            phone.pathListeners.append(continuation)
            return stream
        }
    }

    private struct TestBiometrics: Biometrics {
        let phone: TestPhone
        func isAvailable() async -> Bool { await phone.hasBiometrics }
        func protect(_ secret: Data, for key: String, account: String) async throws { try await phone.guardSecret(secret, key) }
        func secret(for key: String, reason: String) async throws -> Data? { try await phone.release(key) }
        func hasSecret(for key: String) async -> Bool { await phone.guarded[key] != nil }
        func removeSecret(for key: String) async { await phone.forgetSecret(key) }
    }
    private func recognise() throws {
        recognitions += 1
        guard hasBiometrics else { throw PhoneError.unsupported }
        guard recognises else { throw PhoneError.denied }
    }
    private func guardSecret(_ secret: Data, _ key: String) throws {
        try recognise()
        if isFull { throw PhoneError.full }
        guarded[key] = secret
    }
    private func release(_ key: String) throws -> Data? {
        guard let secret = guarded[key] else { return nil }
        try recognise()
        return secret
    }
    private func forgetSecret(_ key: String) { guarded[key] = nil }
}
