package import Foundation
package import PlatformKit
package import WireKit

/// A phone in memory, for tests and previews. Stores values and records requests.
@MainActor
package final class TestPhone: Sendable {
    package private(set) var secrets: [String: Data] = [:]
    package private(set) var settings: [String: Data] = [:]
    /// The user's answer to the prompt for notifications.
    package var answer = NotificationPermission.granted
    package private(set) var permission = NotificationPermission.undecided
    package private(set) var shown: [LocalNotification] = []
    package private(set) var played: [Sound] = []
    package private(set) var vibrations = 0
    package var copied: String?
    private var tapListeners: [AsyncStream<String>.Continuation] = []
    private var taps: [String] = []
    private var linkListeners: [AsyncStream<NetworkLink>.Continuation] = []
    package private(set) var isOnline = true
    /// The link that is used while the phone is online is the cellular network.
    package var isCellular = false { didSet { linkListeners.notify(link) } }
    /// True if the user does not let the app use the local network, which is the only one.
    package var deniesLocalNetwork = false { didSet { linkListeners.notify(link) } }
    private var link: NetworkLink {
        if !isOnline { return .none }
        return deniesLocalNetwork ? .localNetworkDenied : isCellular ? .cellular : .local
    }
    /// The time of the input that is being handled; nil: now.
    package var inputTime: ContinuousClock.Instant?
    /// Runs when an app asks its screens.
    package var askScreen: @MainActor () async -> Void = {}
    /// The address that the push service gives; nil without a push service.
    package var pushAddress: PushAddress? { didSet { addressListeners.notify(()) } }
    /// The push service does not answer.
    package var awaitsPushAddress = false
    /// The keys with which addresses were requested.
    package private(set) var pushKeys: [String?] = []
    /// The token that starts Live Activities; nil while they are switched off.
    package var startToken: String? { didSet { startTokenListeners.notify(startToken) } }
    /// The ids that taps on the shown Live Activities have. A test adds those that a push would start.
    package var activities: [String] = []
    package private(set) var badge = 0
    private var addressListeners: [AsyncStream<Void>.Continuation] = []
    private var startTokenListeners: [AsyncStream<String?>.Continuation] = []
    /// True if the phone can recognise its owner.
    package var hasBiometrics = false
    /// True if the user is the owner and does not cancel.
    package var recognises = true
    package private(set) var guarded: [String: Data] = [:]
    /// The reasons of all attempts to recognise the owner.
    package private(set) var recognitionReasons: [String] = []
    /// The number of attempts to recognise the owner.
    package var recognitions: Int { recognitionReasons.count }
    /// The texts of the codes before the camera, in the order in which it sees them; nil without a camera.
    package var codes: [String]?
    /// True if the user allows the camera.
    package var allowsCamera = true
    /// The prompts that were shown with the camera.
    package private(set) var scans: [String] = []
    /// The servers that announce themselves on the phone's network.
    package var announced = DiscoveredServers() { didSet { discoveryListeners.notify(announced) } }
    private var discoveryListeners: [AsyncStream<DiscoveredServers>.Continuation] = []
    package let keyboard = OnScreenKeyboard()
    package let speech = TestSpeech()
    package nonisolated static let appLink = URL(string: "https://box.example/apps/test/")
    /// True if there is no room to store anything.
    package var isFull = false
    /// True while the phone is locked and its keychain cannot be read.
    package var isKeychainLocked = false { didSet { if oldValue, !isKeychainLocked { unlockListeners.notify(()) } } }
    /// The number of reads of the keychain that failed because the phone was locked.
    package private(set) var lockedReadCount = 0
    private var unlockListeners: [AsyncStream<Void>.Continuation] = []
    /// True if the keychain fails.
    package var isKeychainBroken = false
    /// True if the system refuses copies.
    package var refusesCopies = false
    /// True if the system does not let apps read the clipboard.
    package var refusesPastes = false
    private let isSecure: Bool
    private let folder = TestPhone.folders.appending(path: UUID().uuidString)
    /// Removed with the process: an app and its phone retain each other, so a phone whose app was never closed outlives its test.
    private nonisolated static let folders: URL = {
        atexit { try? FileManager.default.removeItem(at: TestPhone.folders) }
        return FileManager.default.temporaryDirectory.appending(path: "switchboard-phones-\(UUID().uuidString)")
    }()

    /// - Parameter isSecure: False for a page that came over plain HTTP from another machine: it lacks what browsers withhold from such a page.
    package init(isSecure: Bool = true) {
        self.isSecure = isSecure
        if !isSecure { (answer, permission, refusesPastes) = (.denied, .denied, true) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The phone that an app receives.
    package nonisolated func phone(clock: any Clock<Duration> = ContinuousClock()) -> Phone {
        Phone(
            keychain: TestKeychain(phone: self), preferences: TestPreferences(phone: self),
            notifications: TestNotifications(phone: self), clipboard: TestClipboard(phone: self), sounds: TestSounds(phone: self),
            networkPath: TestNetworkPath(phone: self), biometrics: TestBiometrics(phone: self), scanner: TestScanner(phone: self),
            discovery: TestDiscovery(phone: self), activities: TestLiveActivities(phone: self),
            microphone: TestMicrophone(speech: speech), speaker: TestSpeaker(speech: speech),
            recognition: TestRecognition(speech: speech), keyboard: keyboard,
            appLink: Self.appLink, isSecure: isSecure, clock: clock,
            folder: { [folder] in
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                return folder
            }, inputTime: { self.inputTime ?? .now }, askScreen: { await self.askScreen() }, instances: AppInstances())
    }

    /// An app waits for taps on notifications: it runs, and a user is signed in.
    package var awaitsTaps: Bool { !tapListeners.isEmpty }

    /// Taps a notification.
    package func tapNotification(id: String) {
        tapListeners.removeAll { if case .terminated = $0.yield(id) { true } else { false } }
        if tapListeners.isEmpty { taps.append(id) }
    }

    private func remove(_ listener: AsyncStream<String>.Continuation) { tapListeners.removeAll { $0 == listener } }

    /// Unlocks the phone without telling the app.
    package func unlockSilently() {
        let listeners = unlockListeners
        unlockListeners = []
        isKeychainLocked = false
        unlockListeners = listeners
    }

    /// Changes the permission in the phone's settings.
    package func setPermission(_ permission: NotificationPermission) {
        self.permission = permission
        addressListeners.notify(())
    }

    /// Disconnects or connects the network.
    package func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        linkListeners.notify(link)
    }

    private struct TestKeychain: Keychain {
        let phone: TestPhone
        func data(for key: String) async throws -> Data? { try await phone.secret(key) }
        func set(_ data: Data?, for key: String) async throws { try await phone.store(data, key) }
        func unlocks() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            phone.unlockListeners.append(continuation)
            return stream
        }
    }
    private func secret(_ key: String) throws -> Data? {
        if isKeychainLocked { lockedReadCount += 1 }
        try checkKeychain()
        return secrets[key]
    }
    private func checkKeychain() throws {
        if isKeychainBroken { throw PhoneError.failed("the keychain is broken") }
        if isKeychainLocked { throw PhoneError.locked }
    }
    private func store(_ data: Data?, _ key: String) throws {
        try checkKeychain()
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
        func requestPermission() async -> NotificationPermission { await phone.decide() }
        func pushAddress(key: String?) async -> PushAddress? {
            if await phone.awaitsPushAddress { await waitForCancellation() }
            return await phone.address(for: key)
        }
        func addressChanges() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            phone.addressListeners.append(continuation)
            return stream
        }
        func setBadge(_ count: Int) async { await phone.show(badge: count) }
        func show(_ notification: LocalNotification) async throws { try await phone.show(notification) }
        func remove(id: String) async { await phone.remove(id) }
        func taps() -> AsyncStream<String> {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
            phone.tapListeners.append(continuation)
            continuation.onTermination = { [weak phone] _ in Task { await phone?.remove(continuation) } }
            for id in phone.taps { continuation.yield(id) }
            phone.taps = []
            return stream
        }
    }
    private func decide() -> NotificationPermission {
        if permission == .undecided { permission = answer }
        return permission
    }
    private func address(for key: String?) -> PushAddress? {
        pushKeys.append(key)
        guard permission == .granted else { return nil }
        if case .webPush = pushAddress, key == nil { return nil }
        return pushAddress
    }
    private func show(badge count: Int) { badge = count }

    private struct TestLiveActivities: LiveActivities {
        let phone: TestPhone
        func startTokens() -> AsyncStream<String?> {
            let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(1))
            continuation.yield(phone.startToken)
            phone.startTokenListeners.append(continuation)
            return stream
        }
        func end(id: String?) async { await phone.end(activity: id) }
    }
    private func end(activity id: String?) { activities.removeAll { id == nil || $0 == id } }
    private func show(_ notification: LocalNotification) throws {
        guard permission == .granted else { throw PhoneError.denied }
        remove(notification.id)
        shown.append(notification)
    }
    private func remove(_ id: String) { shown.removeAll { $0.id == id } }

    private struct TestClipboard: Clipboard {
        let phone: TestPhone
        func copy(_ text: String) async throws { try await phone.copy(text) }
        func paste() async throws -> String {
            if await phone.refusesPastes { throw PhoneError.denied }
            guard let text = await phone.copied else { throw PhoneError.failed("nothing was copied") }
            return text
        }
    }
    private func copy(_ text: String) throws {
        if refusesCopies { throw PhoneError.denied }
        copied = text
    }

    private struct TestSounds: Sounds {
        let phone: TestPhone
        func play(_ sound: Sound) async { await phone.record(sound) }
        func vibrate(_ pattern: [Duration]) async { await phone.recordVibration() }
    }
    private func record(_ sound: Sound) { played.append(sound) }
    private func recordVibration() { vibrations += 1 }

    private struct TestNetworkPath: NetworkPath {
        let phone: TestPhone
        func links() -> AsyncStream<NetworkLink> {
            let (stream, continuation) = AsyncStream.makeStream(of: NetworkLink.self, bufferingPolicy: .bufferingNewest(1))
            continuation.yield(phone.link)
            phone.linkListeners.append(continuation)
            return stream
        }
    }

    private struct TestBiometrics: Biometrics {
        let phone: TestPhone
        func isAvailable() async -> Bool { await phone.hasBiometrics }
        func protect(_ secret: Data, for key: String, account: String, reason: String) async throws {
            try await phone.guardSecret(secret, key, reason)
        }
        func secret(for key: String, reason: String) async throws -> Data? { try await phone.release(key, reason) }
        func hasSecret(for key: String) async -> Bool { await phone.guarded[key] != nil }
        func removeSecret(for key: String) async { await phone.forgetSecret(key) }
    }
    private func recognise(_ reason: String) throws {
        recognitionReasons.append(reason)
        guard hasBiometrics else { throw PhoneError.unsupported }
        guard recognises else { throw PhoneError.denied }
    }
    private func guardSecret(_ secret: Data, _ key: String, _ reason: String) throws {
        try recognise(reason)
        if isFull { throw PhoneError.full }
        guarded[key] = secret
    }
    private func release(_ key: String, _ reason: String) throws -> Data? {
        guard let secret = guarded[key] else { return nil }
        try recognise(reason)
        return secret
    }
    private func forgetSecret(_ key: String) { guarded[key] = nil }

    private struct TestScanner: PlatformKit.Scanner {
        let phone: TestPhone
        func isAvailable() async -> Bool { await phone.codes != nil }
        // The user closes the camera when no code is wanted.
        func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
            try await phone.scan(prompt).first(where: isWanted)
        }
    }
    private func scan(_ prompt: String) throws -> [String] {
        guard let codes else { throw PhoneError.unsupported }
        guard allowsCamera else { throw PhoneError.denied }
        scans.append(prompt)
        return codes
    }

    private struct TestDiscovery: ServerDiscovery {
        let phone: TestPhone
        func servers(of type: String) -> AsyncStream<DiscoveredServers> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                Task { await phone.search(continuation) }
            }
        }
    }
    private func search(_ continuation: AsyncStream<DiscoveredServers>.Continuation) {
        continuation.yield(announced)
        discoveryListeners.append(continuation)
    }
}

extension Array {
    /// Yields `value` to all streams that are read.
    fileprivate mutating func notify<Value: Sendable>(_ value: Value) where Element == AsyncStream<Value>.Continuation {
        removeAll { if case .terminated = $0.yield(value) { true } else { false } }
    }
}
