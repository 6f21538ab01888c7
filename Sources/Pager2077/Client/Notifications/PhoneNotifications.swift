import ClientKit
package import Foundation
import NetworkingKit
import Observation
import Pager2077Wire
import PlatformKit
import WireKit

/// The notifications of this phone: the user's settings, and the address at which the service reaches the phone.
///
/// The service knows the phone as a device. ``run(as:while:)`` uploads it at the start, after a change, when the app comes to the
/// front, and after a registration:
///
/// ```
///   settings, permission, address, registration ─▶ trigger ─▶ upload what the service lacks ─▶ stored
///                                                    ▲                     │ no reply
///                                                    └────── backoff ──────┘
/// ```
@MainActor
@Observable
package final class PhoneNotifications {
    package enum State: Hashable, Sendable {
        /// Not known yet, or the service does not have the latest settings.
        case waiting
        /// The user has turned notifications off, or was never prompted.
        case off
        /// The phone does not allow notifications.
        case blocked
        /// The page is not secure: the browser does not allow notifications (`Phone.isSecure`).
        case insecure
        /// The phone or the service has no push service: notifications appear only while the app runs.
        case withoutPush
        case on
    }

    /// The state that the service has stored.
    private enum Stored: Hashable {
        case device(PushDeviceUpdate)
        case removed
    }

    /// A value of the phone that is not known at first.
    private enum Known<Value: Hashable>: Hashable {
        case unknown
        case known(Value)
    }

    private var permission: NotificationPermission?
    private var address = Known<PushAddress?>.unknown
    /// The subscription to ntfy in the keychain.
    private var savedNtfy = Known<NtfySubscription?>.unknown
    /// The service's offer, with a new topic.
    private var offeredNtfy: NtfySubscription?
    private var stored: Stored?
    /// True if the service or the push service refused the upload, and would refuse another attempt.
    private var isRefused = false
    @ObservationIgnored private var startToken = Known<String?>.unknown
    @ObservationIgnored private var storedStartToken = Known<String?>.unknown
    @ObservationIgnored private var offer: PushOffer?
    /// True if the permission and the address may have changed.
    @ObservationIgnored private var hasPhoneChanged = true
    /// The registration that the stored state belongs to.
    @ObservationIgnored private var registration = 0
    @ObservationIgnored private var failureCount = 0
    @ObservationIgnored private var isWaitingToRetry = false
    @ObservationIgnored private let phone: Phone
    @ObservationIgnored private let trigger: Trigger

    /// - Parameter trigger: Fired after each registration of `Account`.
    init(phone: Phone, trigger: Trigger) {
        self.phone = phone
        self.trigger = trigger
    }

    // MARK: State

    package var state: State {
        guard isWanted else { return .off }
        // The ntfy app shows notifications by itself, with or without this app's permission.
        if ntfy != nil { return uploadState }
        switch (permission, address) {
        case (.denied, _): return phone.isSecure ? .blocked : .insecure
        case (.undecided, _): return .off
        case (nil, _), (.granted, .unknown): return isRefused ? .withoutPush : .waiting
        case (.granted, .known(nil)): return .withoutPush
        case (.granted, .known): return uploadState
        }
    }

    private var uploadState: State { device.map(Stored.device) == stored ? .on : isRefused ? .withoutPush : .waiting }

    /// True if the system shows the notifications of ``Notifications/show(_:)``, with its own sound.
    var areShown: Bool { isWanted && permission == .granted }

    /// The address to which the service sends this phone's notifications; nil for none.
    var pushAddress: PushAddress? { if case .device(let device) = stored { device.address } else { nil } }

    /// The address for the service to use: the topic that the user has turned on, else the phone's own address.
    private var chosenAddress: Known<PushAddress?> { ntfy.map { .known(.ntfy(topic: $0.topic)) } ?? address }

    private var device: PushDeviceUpdate? {
        guard case .known(let address) = chosenAddress else { return nil }
        return PushDeviceUpdate(address: address, language: words.language, showsPreviews: showsPreviews)
    }

    // MARK: Settings

    private static let (wantedKey, previewsKey) = ("notifications", "previews")

    /// True unless the user has turned notifications off in the app. A preference of this phone.
    package private(set) var isWanted: Bool {
        get {
            access(keyPath: \.isWanted)
            return phone.preferences.value(Bool.self, for: Self.wantedKey) ?? true
        }
        set {
            withMutation(keyPath: \.isWanted) { phone.preferences.set(newValue, for: Self.wantedKey) }
            trigger.fire()
        }
    }

    /// True if notifications contain the text of messages. A preference of this phone.
    package var showsPreviews: Bool {
        get {
            access(keyPath: \.showsPreviews)
            return phone.preferences.value(Bool.self, for: Self.previewsKey) ?? true
        }
        set {
            withMutation(keyPath: \.showsPreviews) { phone.preferences.set(newValue, for: Self.previewsKey) }
            trigger.fire()
        }
    }

    /// The words of notifications, in the language of the app's other words.
    package var words = NoticeWords() { didSet { if words != oldValue { trigger.fire() } } }

    /// True if the phone can ask for permission; false on a page that is not secure (`Phone.isSecure`).
    package var canAsk: Bool { phone.isSecure }

    /// Turns notifications on. Call it from the handler of a tap: it prompts a user who has not decided yet.
    package func turnOn() async {
        isWanted = true
        await requestPermission()
    }

    /// Turns notifications off: the service forgets the phone.
    package func turnOff() { isWanted = false }

    @discardableResult
    func requestPermission() async -> NotificationPermission {
        let answer = await phone.notifications.requestPermission()
        permission = answer
        phoneDidChange()
        return answer
    }

    // MARK: ntfy

    /// The subscription that is turned on; nil also for a subscription at a server that the service does not use any more.
    private var ntfy: NtfySubscription? {
        guard case .known(let saved?) = savedNtfy, saved.server == offeredNtfy?.server else { return nil }
        return saved
    }

    /// The address to which the user subscribes in the ntfy app; nil while ntfy is off. A secret.
    package var ntfyAddress: URL? { ntfy?.address }

    /// True if the user can turn ntfy on or off: the service has a server, and the phone has no push service of its own.
    package var hasNtfy: Bool {
        guard isWanted else { return false }
        return ntfy != nil || offeredNtfy != nil && [.withoutPush, .blocked, .insecure].contains(state)
    }

    /// Turns ntfy on, with a topic that the service has drawn.
    ///
    /// - Throws: ``PagerProblem``; ntfy is off then.
    package func turnOnNtfy() async throws {
        guard let offeredNtfy else { throw PagerProblem.service("The service offers no ntfy server") }
        try await save(offeredNtfy)
    }

    /// Turns ntfy off. Nothing is sent to the topic again.
    ///
    /// - Throws: ``PagerProblem``; ntfy is on then.
    package func turnOffNtfy() async throws {
        try await save(nil)
        // The next offer has a new topic.
        (offer, address) = (nil, .unknown)
        phoneDidChange()
    }

    private func save(_ subscription: NtfySubscription?) async throws {
        do {
            try await NtfySubscription.store(subscription, in: phone.keychain)
        } catch {
            throw PagerProblem.storage
        }
        savedNtfy = .known(subscription)
        trigger.fire()
    }

    /// Forgets the state of a deleted account.
    func forgetAccount() async {
        // If the topic cannot be removed, it stays unused: the service no longer sends to it.
        try? await NtfySubscription.store(nil, in: phone.keychain)
        (savedNtfy, offeredNtfy) = (.unknown, nil)
        serviceDidForget()
    }

    /// Reads the service's offer, once for each registration, and the subscription in the keychain.
    private func readNtfy(as account: Account) async throws {
        let offered = try await pushOffer(as: account)?.ntfy
        let subscription = offered.flatMap { NtfySubscription(server: $0.server, topic: $0.topic) }
        if offeredNtfy != subscription { offeredNtfy = subscription }
        guard savedNtfy == .unknown else { return }
        do {
            savedNtfy = .known(try await NtfySubscription.load(from: phone.keychain))
        } catch {
            throw PagerProblem.storage
        }
    }

    // MARK: Upload

    /// Reads permission and address again, and uploads changes.
    func phoneDidChange() {
        hasPhoneChanged = true
        trigger.fire()
    }

    /// Uploads the values that the service lacks.
    func uploadLacking() { trigger.fire() }

    /// Uploads everything again: the service may have lost it.
    func serviceDidForget() {
        (stored, storedStartToken, offer) = (nil, .unknown, nil)
        phoneDidChange()
    }

    /// Keeps the service up to date until the calling task is cancelled.
    ///
    /// - Parameter isVisible: Returns true while a screen shows the app. Without a page, a browser reports no permission and no
    ///   address. That is not uploaded, since pushes are for the time without a page.
    func run(as account: Account, while isVisible: @escaping @MainActor () -> Bool) async {
        isWaitingToRetry = false
        // Created before the tasks start, so that no change is lost.
        let (triggers, addresses, tokens) = (trigger.events(), phone.notifications.addressChanges(), phone.activities.startTokens())
        serviceDidForget()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(addresses) }
            group.addTask { await self.follow(tokens) }
            for await _ in triggers {
                if await isUploaded(as: account, isVisible) || isWaitingToRetry { continue }
                isWaitingToRetry = true
                group.addTask { await self.waitToRetry() }
            }
            group.cancelAll()
        }
    }

    private func follow(_ addressChanges: AsyncStream<Void>) async { for await _ in addressChanges { phoneDidChange() } }

    private func follow(_ startTokens: AsyncStream<String?>) async {
        for await token in startTokens {
            startToken = .known(token)
            trigger.fire()
        }
    }

    private static let backoff = Backoff(delays: [2, 4, 8, 16, 30, 60].map { .seconds($0) })

    private func waitToRetry() async {
        failureCount += 1
        let delay = Self.backoff.delay(after: failureCount, random: .random(in: 0...1))
        guard (try? await phone.clock.sleep(for: delay)) != nil else { return }
        isWaitingToRetry = false
        trigger.fire()
    }

    /// - Returns: False if another attempt may succeed.
    private func isUploaded(as account: Account, _ isVisible: @MainActor () -> Bool) async -> Bool {
        do {
            try await upload(as: account, isVisible)
            (isRefused, failureCount) = (false, 0)
            return true
        } catch {
            let problem = PagerProblem(error)
            // A user whom the service does not know is registered again, which triggers an upload.
            isRefused = !problem.isTemporary && ![.userNotFound, .storage].contains(problem)
            return isRefused
        }
    }

    private func upload(as account: Account, _ isVisible: @MainActor () -> Bool) async throws {
        let current = await account.registrationCount
        if current != registration { (registration, stored, storedStartToken, offer) = (current, nil, .unknown, nil) }
        let id = ["deviceId": try await account.pushDevice().rawValue]
        guard isWanted else { return try await remove(id, as: account) }
        try await readNtfy(as: account)
        if hasPhoneChanged, isVisible() { try await readPhone(as: account, isVisible) }
        guard let device else { return }
        if stored != .device(device) {
            _ = try await account.call(PagerEndpoints.setPushDevice, id, body: device)
            stored = .device(device)
        }
        if case .known(let token) = startToken, storedStartToken != startToken {
            let update = LiveActivityTokenUpdate(liveActivityToken: token, deviceId: PushDevice.ID(id["deviceId"] ?? ""))
            _ = try await account.call(PagerEndpoints.setLiveActivityToken, body: update)
            storedStartToken = .known(token)
        }
    }

    private func remove(_ id: [String: String], as account: Account) async throws {
        guard stored != .removed else { return }
        if registration > 0 {
            // The service uses the tokens of the registration until a device of the same user is removed.
            let device = PushDeviceUpdate(address: nil, language: words.language, showsPreviews: showsPreviews)
            _ = try await account.call(PagerEndpoints.setPushDevice, id, body: device)
        }
        do {
            _ = try await account.call(PagerEndpoints.removePushDevice, id)
        } catch PagerProblem.requestGone {
            // The service does not know the device: an earlier reply was lost.
        }
        (stored, storedStartToken) = (.removed, .unknown)
    }

    /// Maximum time that the push service may take to give an address.
    nonisolated static let addressTimeout: Duration = .seconds(20)

    private func readPhone(as account: Account, _ isVisible: @MainActor () -> Bool) async throws {
        hasPhoneChanged = false
        var address: PushAddress?
        let permission: NotificationPermission
        do {
            let notifications = phone.notifications
            permission = await notifications.permission()
            if permission == .granted, ntfy == nil {
                let key = try await pushOffer(as: account)?.webPushKey
                address = try await withTimeout(Self.addressTimeout, clock: phone.clock) {
                    await notifications.pushAddress(key: key)
                }
            }
        } catch {
            hasPhoneChanged = true
            throw error
        }
        // The answers of a page that has closed meanwhile do not count.
        guard isVisible() else { return hasPhoneChanged = true }
        self.permission = permission
        self.address = .known(address)
    }

    /// Returns the push services of the service; nil for a service without any.
    private func pushOffer(as account: Account) async throws -> PushOffer? {
        if let offer { return offer }
        do {
            let offer = try await account.call(PagerEndpoints.pushOffer)
            self.offer = offer
            return offer
        } catch PagerProblem.requestGone {
            return nil
        }
    }
}
