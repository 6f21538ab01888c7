import PlatformKit
import WireKit

/// The notifications of one app on one phone: reports of pages that wait for the app, and changes that wait for a page.
@MainActor
final class AppNotifications {
    private static let maximumTapCount = 16
    private static let maximumRemovalCount = 16
    /// Maximum length of a tag that a page reports, in bytes.
    private static let maximumTagLength = 1024

    private var tapListeners: [AsyncStream<String>.Continuation] = []
    /// The tags of notifications that were tapped before the app listened.
    private var taps: [String] = []
    private var addressListeners: [AsyncStream<Void>.Continuation] = []
    /// True if the address may have changed before the app listened.
    private var hasAddressChanged = false
    /// The last address that a page reported, with its key; nil after a report without an address.
    private var known: (key: String, address: PushAddress)?
    /// True if the app requested the address, and no page could return one.
    private var lacksAddress = false
    /// The badge and the removals that no page has received.
    private var badge: Int?
    private var removals: [String] = []

    // MARK: Taps

    func wasTapped(_ tag: String) {
        guard tag.utf8.count <= Self.maximumTagLength else { return }
        tapListeners.removeAll { $0.yield(tag).isTerminated }
        if tapListeners.isEmpty { taps = taps.suffix(Self.maximumTapCount - 1) + [tag] }
    }

    func tapStream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(Self.maximumTapCount))
        tapListeners.append(continuation)
        for tag in taps { continuation.yield(tag) }
        taps = []
        return stream
    }

    // MARK: Addresses

    func addressDidChange() {
        addressListeners.removeAll { $0.yield().isTerminated }
        hasAddressChanged = addressListeners.isEmpty
    }

    func addressChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        addressListeners.append(continuation)
        if hasAddressChanged { continuation.yield() }
        hasAddressChanged = false
        return stream
    }

    /// Requests the address from a page.
    ///
    /// - Parameter request: Sends the request, and returns the page's answer.
    /// - Returns: The address; without a page the last known one, which the browser still has. Nil if there is none for `key`.
    func address(key: String, from request: () async throws -> JSONValue) async -> PushAddress? {
        do {
            let subscription = PushSubscription(page: try await request())
            known = subscription.map { (key, .webPush($0)) }
            lacksAddress = false
        } catch PhoneError.absent {
            lacksAddress = true
        } catch is CancellationError {
            return nil
        } catch {
            known = nil
            // The push service may be reachable when a page returns.
            if case PhoneError.failed = error { lacksAddress = true }
        }
        return known?.key == key ? known?.address : nil
    }

    // MARK: Pages

    /// - Parameter send: Sends to every page; returns true if there is one.
    func setBadge(_ count: Int, send: (Int) -> Bool) { badge = send(count) ? nil : count }

    /// - Parameter send: Sends to every page; returns true if there is one.
    func remove(_ tag: String, send: (String) -> Bool) {
        guard !send(tag) else { return }
        removals = removals.filter { $0 != tag }.suffix(Self.maximumRemovalCount - 1) + [tag]
    }

    /// Sends the badge and the removals that waited for a page.
    func attach(_ session: PageSession) {
        for tag in removals { session.notify("notification.clear") { $0.string(tag) } }
        if let badge { session.notify("badge") { $0.integer(badge) } }
        removals = []
        badge = nil
        if lacksAddress { addressDidChange() }
        lacksAddress = false
    }
}

extension PushSubscription {
    /// Maximum length of an endpoint, in bytes.
    private static let maximumEndpointLength = 2048

    /// Reads the subscription from the answer of a page; nil for any other value. Pages are not trusted.
    init?(page answer: JSONValue) {
        guard case .object(let fields) = answer, case .string(let endpoint)? = fields["endpoint"],
            case .object(let keys)? = fields["keys"], case .string(let publicKey)? = keys["p256dh"],
            case .string(let secret)? = keys["auth"], Self.isEndpoint(endpoint), Self.isBase64URL(publicKey, of: 65),
            Self.isBase64URL(secret, of: 16)
        else { return nil }
        self.init(endpoint: endpoint, keys: Keys(p256dh: publicKey, auth: secret))
    }

    /// Checks the form only: the service decides which schemes and hosts it sends to, since an operator may allow a push service of their own.
    private static func isEndpoint(_ text: String) -> Bool {
        (1...maximumEndpointLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// - Parameter count: The expected count of encoded bytes. The text has no padding.
    private static func isBase64URL(_ text: String, of count: Int) -> Bool {
        text.utf8.count == (count * 4 + 2) / 3 && text.utf8.allSatisfy(\.isBase64URLDigit)
    }
}

extension AsyncStream.Continuation.YieldResult {
    /// True if the stream has ended because its reader was released.
    var isTerminated: Bool { if case .terminated = self { true } else { false } }
}
