import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// The directory of the routes to a user's devices, which are looked up when a notification is sent.
///
/// For each device, the first row that applies. A device with an address and a Live Activity of the message's sender counts as one
/// without a start token (``StartedActivity``):
///
/// | the device has | a message | another alert | a change of status |
/// | --- | --- | --- | --- |
/// | a start token and an APNs token | Live Activity; the alert if the start token is dead | alert | background |
/// | a start token and another address | Live Activity; that address if the start token is dead | that address | nothing |
/// | a start token only | Live Activity | nothing | nothing |
/// | an address only | alert by APNs, Web Push or ntfy | the same | background by APNs, else nothing |
///
/// A user without devices has one device: the tokens of the registration. Source: `Docs/Protocols/Pager2077.md`, section 3.
struct PagerDirectory: PushDirectory {
    /// The target of the tokens that registration and the contract's own call store.
    static let registeredPhone = "phone"
    /// Prefixes of tokens that an app has generated because the system gave it none.
    private static let generated = ["simulator-", "denied-token-", "browser-"]
    /// Minimum length of a start token, in Unicode scalar values.
    private static let minimumStartToken = 32

    var services = PushServices()
    /// The channels whose push services are called, not only logged.
    var channels = Set(PushChannel.allCases)
    /// The path below which the box serves the pager.
    var pathPrefix = ""

    func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget] {
        guard let user = try transaction.user(User.ID(entry.recipient)) else { return [] }
        let notification: PagerNotification = try WireJSON.decode(from: entry.content)
        if try transaction.isSilenced(notification, for: user.id) { return [] }
        let devices = try transaction.devices(of: user.id)
        let unread = devices.isEmpty ? 0 : try transaction.unreadCount(of: user.id)
        var targets = try devices.map { device in
            let form = NotificationForm(
                language: NotificationLanguage(device.language), showsPreviews: device.showsPreviews,
                badge: unread > 0 ? unread : nil,
                pushID: entry.identifier)
            let addresses = try addressRoutes(of: device, notification, form)
            return PushTarget(
                id: device.id.rawValue,
                routes: try startRoutes(
                    device.startToken, device.apnsEnvironment, notification, form, entry, on: device.id.rawValue,
                    isOnlyWay: addresses.isEmpty, at: time, transaction) + addresses)
        }
        // An entry whose first attempt went to the registered phone stays there: its result may be unknown.
        if devices.isEmpty || entry.target == Self.registeredPhone {
            let routes = try registeredRoutes(of: user, notification, entry, at: time, transaction)
            targets.append(PushTarget(id: Self.registeredPhone, routes: routes))
        }
        return targets
    }

    /// - Parameter isOnlyWay: True if the device has no address: each message then starts an activity, for lack of another route.
    private func startRoutes(
        _ token: String?, _ environment: APNSEnvironment?, _ notification: PagerNotification, _ form: NotificationForm,
        _ entry: PushEntry, on target: String, isOnlyWay: Bool, at time: Timestamp, _ transaction: WriteTransaction
    ) throws -> [PushRoute] {
        guard let token, token.unicodeScalars.count >= Self.minimumStartToken, !Self.isGenerated(token),
            case .message(_, let sender, _, _) = notification, let start = notification.liveActivity(form, at: entry.enqueuedAt),
            try isOnlyWay || transaction.reserveActivity(entry, from: sender, on: target, at: time)
        else { return [] }
        return [.apns(APNSRoute(token: token, environment: environment, notification: start))]
    }

    private func addressRoutes(
        of device: DeviceRecord, _ notification: PagerNotification, _ form: NotificationForm
    ) throws -> [PushRoute] {
        guard device.addressDiedAt == nil else { return [] }
        switch device.address {
        case nil: return []
        case .apns(let token, _):
            return [
                .apns(APNSRoute(token: token, environment: device.apnsEnvironment, notification: notification.apns(form)))
            ]
        case .webPush(let subscription):
            // The operator may have changed the settings since the browser subscribed.
            guard let subscription = try? services.webPush?.subscription(subscription),
                let message = try notification.webPush(form, pathPrefix: pathPrefix)
            else { return [] }
            return [.webPush(WebPushRoute(subscription: subscription, message: message))]
        case .ntfy(let topic):
            guard services.ntfy != nil, let message = notification.ntfy(form) else { return [] }
            return [.ntfy(NtfyRoute(topic: topic, message: message))]
        }
    }

    private func registeredRoutes(
        of user: UserRecord, _ notification: PagerNotification, _ entry: PushEntry, at time: Timestamp,
        _ transaction: WriteTransaction
    ) throws -> [PushRoute] {
        let hasAddress = user.deviceTokenDiedAt == nil && !Self.isGenerated(user.deviceToken)
        let start = try startRoutes(
            user.liveActivityToken, user.pushEnvironment, notification, .contract, entry, on: Self.registeredPhone,
            isOnlyWay: !hasAddress, at: time, transaction)
        guard hasAddress else { return start }
        return start + [
            .apns(
                APNSRoute(
                    token: user.deviceToken, environment: user.pushEnvironment, notification: notification.apns(.contract)))
        ]
    }

    /// Returns true if a push service would accept a notification for a device of the user: the answer to a sender who is blocked.
    private func isReachable(_ user: UserRecord, _ notification: PagerNotification, in transaction: WriteTransaction) throws -> Bool
    {
        func starts(_ token: String?) -> Bool {
            guard let token, channels.contains(.apns) else { return false }
            return token.unicodeScalars.count >= Self.minimumStartToken && !Self.isGenerated(token)
        }
        let devices = try transaction.devices(of: user.id)
        if devices.isEmpty {
            let hasAddress = user.deviceTokenDiedAt == nil && !Self.isGenerated(user.deviceToken) && channels.contains(.apns)
            return hasAddress || starts(user.liveActivityToken)
        }
        return try devices.contains { device in
            try starts(device.startToken)
                || addressRoutes(of: device, notification, .contract).contains { channels.contains($0.channel) }
        }
    }

    private static func isGenerated(_ token: String) -> Bool { generated.contains(where: token.hasPrefix) }

    // MARK: Results

    /// Stores the result of a message's notification. A sender whom the recipient has blocked gets the state that others would get.
    private func advance(
        _ id: Message.ID, of notification: PagerNotification, ended entry: PushEntry, at time: Timestamp,
        in transaction: WriteTransaction
    ) throws {
        if entry.state == .unreachable, let user = try transaction.user(User.ID(entry.recipient)),
            try transaction.isSilenced(notification, for: user.id)
        {
            let isReachable = try isReachable(user, notification, in: transaction)
            return try transaction.advance(id, to: isReachable ? .accepted : .unreachable, at: time)
        }
        try transaction.advance(id, toEndOf: entry, at: time)
    }

    func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) throws {
        switch route {
        case .apns(let apns) where apns.notification.kind == .liveActivity:
            try transaction.forgetStartToken(apns.token, since: since)
        case .apns(let apns):
            try transaction.markDead(.apns(token: apns.token), of: entry, since: since)
            for var user in try transaction.users(token: apns.token) where user.deviceTokenAt.isBefore(since) {
                user.deviceTokenDiedAt = since ?? entry.enqueuedAt
                try transaction.update(user)
            }
        case .webPush(let webPush):
            try transaction.markDead(.webPush(webPush.subscription.asPushSubscription), of: entry, since: since)
        case .ntfy(let ntfy):
            try transaction.markDead(.ntfy(topic: ntfy.topic), of: entry, since: since)
        }
    }

    func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) throws {
        if let notification = entry.notification, case .message(let id, let sender, _, _) = notification {
            try transaction.settleActivity(of: entry, from: sender, by: receipt)
            try advance(id, of: notification, ended: entry, at: time, in: transaction)
        }
        guard let environment = receipt?.environment, case .apns = receipt?.route else { return }
        let user = User.ID(entry.recipient)
        if entry.target == Self.registeredPhone {
            guard var user = try transaction.user(user) else { return }
            user.pushEnvironment = environment
            try transaction.update(user)
        } else if let target = entry.target, var device = try transaction.device(PushDevice.ID(target), of: user) {
            device.environment = environment
            try transaction.store(device)
        }
    }
}

extension DeviceRecord {
    /// The environment of the device's APNs tokens: confirmed by Apple, else declared by the app.
    fileprivate var apnsEnvironment: APNSEnvironment? {
        guard environment == nil, case .apns(_, let stated) = address else { return environment }
        return stated.flatMap(APNSEnvironment.init)
    }
}

extension Optional<Timestamp> {
    /// True unless the app has sent the token again after its death. A push service that gives no time means the present.
    fileprivate func isBefore(_ death: Timestamp?) -> Bool {
        guard let self, let death else { return true }
        return self <= death
    }
}

extension WriteTransaction {
    fileprivate func markDead(_ address: PushAddress, of entry: PushEntry, since: Timestamp?) throws {
        guard var device = try device(addressKey: address.key), device.addressAt.isBefore(since) else { return }
        device.addressDiedAt = since ?? entry.enqueuedAt
        try store(device)
    }

    fileprivate func forgetStartToken(_ token: String, since: Timestamp?) throws {
        if var device = try device(startToken: token), device.startTokenAt.isBefore(since) {
            (device.startToken, device.startTokenAt) = (nil, nil)
            try store(device)
        }
        for var user in try users(startToken: token) where user.liveActivityTokenAt.isBefore(since) {
            (user.liveActivityToken, user.liveActivityTokenAt) = (nil, nil)
            try update(user)
        }
    }
}
