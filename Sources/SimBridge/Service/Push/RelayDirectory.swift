import PushKit
import SimBridgeWire
import StorageKit
import WireKit

/// Finds the way to a client device when a notification is about to be sent.
///
/// | the device | route |
/// | --- | --- |
/// | has turned notifications on and is paired with the host | its address |
/// | has turned them off, was removed or is not paired any more | none |
struct RelayDirectory: PushDirectory {
    let services: PushServices

    func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget] {
        guard let device = entry.device, let record = try transaction.pushRecord(of: device) else { return [] }
        let notification: RelayNotification = try WireJSON.decode(from: entry.content)
        guard try transaction.isPaired(notification.host, with: device) else { return [] }
        let shown = ShownNotification(notification, showing: record.content, in: record.language)
        return [PushTarget(id: "phone", routes: try record.route(for: shown, by: services).map { [$0] } ?? [])]
    }

    func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) throws {
        guard let device = entry.device, let record = try transaction.pushRecord(of: device), record.isReached(by: route),
            // The app may have stored the address again since.
            since.map({ record.setAt <= $0 }) ?? true
        else { return }
        try transaction.removePush(of: device)
    }

    func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) throws {
        guard let receipt, let environment = receipt.environment, let device = entry.device,
            var record = try transaction.pushRecord(of: device), record.isReached(by: receipt.route)
        else { return }
        record.environment = environment
        try transaction.store(record)
    }
}

extension PushEntry {
    fileprivate var device: Device.ID? { Int64(recipient).map { Device.ID($0) } }
}

extension PushRecord {
    /// - Returns: Nil when the operator has changed the configuration since the address was stored.
    fileprivate func route(for shown: ShownNotification, by services: PushServices) throws -> PushRoute? {
        switch address {
        case .apns(let token, _): return .apns(APNSRoute(token: token, environment: environment, notification: shown.forAPNS))
        case .webPush(let subscription):
            guard let subscription = try? services.webPush?.subscription(subscription) else { return nil }
            return .webPush(WebPushRoute(subscription: subscription, message: try shown.forWebPush()))
        case .ntfy(let topic):
            return services.ntfy.map { _ in .ntfy(NtfyRoute(topic: topic, message: shown.forNtfy)) }
        }
    }

    /// True if `route` leads to the address of the device as it is now.
    fileprivate func isReached(by route: PushRoute) -> Bool {
        switch route {
        case .apns(let apns): address.key == PushAddress.apns(token: apns.token).key
        case .webPush(let webPush): address.key == PushAddress.webPush(webPush.subscription.asPushSubscription).key
        case .ntfy(let ntfy): address.key == PushAddress.ntfy(topic: ntfy.topic).key
        }
    }
}
