package import Logging

/// A stand-in for Apple's push service without a configured key, which logs notifications instead of sending them.
package struct PretendedAPNS: PushSender {
    package var channel: PushChannel { .apns }
    package var isPretended: Bool { true }

    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .apns(let apns) = route else { return .refused(.notConfigured) }
        logger.info(
            "Would send a notification, but APNS_KEY_PATH is not set",
            metadata: [
                "push.id": "\(entry.identifier)", "push.kind": "\(apns.notification.kind.rawValue)",
                // The beginning of a token names a device in the log, and cannot be used to reach it.
                "push.token": "\(apns.token.prefix(8))…",
            ])
        return .accepted(PushReceipt(route: route, isPretended: true))
    }
}
