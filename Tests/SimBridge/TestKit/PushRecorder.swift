package import PushKit
import WireKit

/// A push service in memory: an ntfy server, which sees what it shows.
package final class PushRecorder: PushSender {
    package struct Sent: Hashable, Sendable {
        package var topic: String
        package var title: String
        package var body: String

        package init(topic: String, title: String, body: String) {
            (self.topic, self.title, self.body) = (topic, title, body)
        }
    }

    package var channel: PushChannel { .ntfy }
    private let log = Locked<[Sent]>([])

    package var sent: [Sent] { log.withLock { $0 } }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .ntfy(let ntfy) = route else { return .refused(.notConfigured) }
        log.withLock { $0.append(Sent(topic: ntfy.topic, title: ntfy.message.title, body: ntfy.message.text)) }
        return .accepted(PushReceipt(route: route))
    }
}
