package import Foundation
package import Logging
package import ServerKit
package import WireKit

/// The push services of one system, as the operator has configured them.
package struct PushServices: Sendable {
    /// The account at Apple's push service; nil to log notifications to iPhones instead of sending them.
    package var apns: APNSConfiguration?
    /// The key for Web Push; nil if browsers get no notifications while their page is closed.
    package var webPush: WebPushConfiguration?
    /// The ntfy server; nil for no notifications by ntfy.
    package var ntfy: NtfyConfiguration?

    package init(apns: APNSConfiguration? = nil, webPush: WebPushConfiguration? = nil, ntfy: NtfyConfiguration? = nil) {
        self.apns = apns
        self.webPush = webPush
        self.ntfy = ntfy
    }

    /// - Parameters:
    ///   - bundleID: The bundle identifier of the system's app, if the settings have none.
    ///   - file: The file of the key for Web Push, created at the first start.
    package init(
        _ settings: Settings, bundleID: String = APNSConfiguration.standardBundleID, webPushKeyIn file: URL
    ) throws(StartupError) {
        apns = try .read(settings, bundleID: bundleID)
        webPush = try .read(settings, keyKeptIn: file)
        ntfy = try .read(settings)
    }

    /// Returns all settings: name without prefix, meaning and default.
    package static func settings(bundleID: String = APNSConfiguration.standardBundleID) -> [(name: String, meaning: String)] {
        APNSConfiguration.settings(bundleID: bundleID) + WebPushConfiguration.settings + NtfyConfiguration.settings
    }

    /// Returns a sender for each configured service, and for APNs without a key a sender that only logs.
    package func senders(logger: Logger) throws(StartupError) -> [any PushSender] {
        var senders: [any PushSender] = []
        do {
            senders.append(try apns.map { try APNSSender($0, logger: logger) } ?? PretendedAPNS(logger: logger))
            if let webPush { senders.append(try WebPushSender(webPush, logger: logger)) }
        } catch {
            throw StartupError("Cannot sign notifications: \(error)")
        }
        if let ntfy { senders.append(NtfySender(ntfy, logger: logger)) }
        return senders
    }

    /// Validates an address that a client has sent.
    ///
    /// - Returns: The address in the canonical spelling in which a service stores it.
    /// - Throws: ``PushAddressError`` for an address that no request would reach.
    package func validated(_ address: PushAddress) throws(PushAddressError) -> PushAddress {
        switch address {
        case .apns(let token, let environment):
            guard APNSRoute.isToken(token) else {
                throw PushAddressError("address.apns.token must have 1 to \(APNSRoute.maximumTokenLength) hexadecimal digits")
            }
            guard environment == nil || environment.flatMap(APNSEnvironment.init) != nil else {
                throw PushAddressError("address.apns.environment must be \"production\" or \"sandbox\"")
            }
            return .apns(token: token.lowercased(), environment: environment)
        case .webPush(let subscription):
            guard let webPush else { throw PushAddressError("This service does not offer Web Push") }
            do throws(WebPushSubscriptionError) {
                return .webPush(try webPush.subscription(subscription).asPushSubscription)
            } catch {
                switch error {
                case .endpoint:
                    throw PushAddressError("address.webPush.endpoint must be an https address on port 443 of a public host")
                case .keys:
                    throw PushAddressError(
                        "address.webPush.keys must be p256dh, a P-256 point of 65 bytes, and auth, 16 bytes, both in base64url")
                }
            }
        case .ntfy(let topic):
            guard ntfy != nil else { throw PushAddressError("This service does not offer ntfy") }
            guard NtfyRoute.isTopic(topic) else {
                throw PushAddressError("address.ntfy.topic must have 1 to 64 letters, digits, hyphens and underscores")
            }
            return address
        }
    }
}

/// The error for a refused address of a phone.
package struct PushAddressError: Error, Hashable {
    /// A sentence for developers. It names the invalid member.
    package var reason: String

    init(_ reason: String) { self.reason = reason }
}

extension PushAddress {
    /// A key that is equal for all spellings of one address.
    package var key: String {
        switch self {
        case .apns(let token, _): "apns \(token.lowercased())"
        case .webPush(let subscription): "webPush \(subscription.endpoint)"
        case .ntfy(let topic): "ntfy \(topic)"
        }
    }
}
