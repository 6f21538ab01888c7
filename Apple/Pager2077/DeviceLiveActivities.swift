import ActivityKit
import Foundation
import Pager2077Wire
import PlatformKit
import UIKit

/// The Live Activities of an iPhone, from iOS 17.2 on. Not compiled yet: see `Apple/README.md`.
struct DeviceLiveActivities: LiveActivities {
    @MainActor
    func startTokens() -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(1))
        guard #available(iOS 17.2, *) else {
            continuation.finish()
            return stream
        }
        let observers = [
            Task { @MainActor in
                for await token in Activity<PagerActivityAttributes>.pushToStartTokenUpdates { Self.yield(token, to: continuation) }
            },
            Task { @MainActor in
                for await _ in ActivityAuthorizationInfo().activityEnablementUpdates { Self.yieldPresent(to: continuation) }
            },
            // The updates above may stay silent at a start, while the system has a new token.
            Task { @MainActor in
                let returns = NotificationCenter.default.notifications(named: UIApplication.didBecomeActiveNotification)
                for await _ in returns.map({ _ in }) { Self.yieldPresent(to: continuation) }
            },
        ]
        continuation.onTermination = { _ in
            for observer in observers { observer.cancel() }
        }
        Self.yieldPresent(to: continuation)
        return stream
    }

    /// Yields the present token; nothing while the system has none yet.
    @available(iOS 17.2, *)
    private static func yieldPresent(to continuation: AsyncStream<String?>.Continuation) {
        guard ActivityAuthorizationInfo().areActivitiesEnabled else {
            continuation.yield(nil)
            return
        }
        if let token = Activity<PagerActivityAttributes>.pushToStartToken { continuation.yield(token.hexadecimal) }
    }

    @available(iOS 17.2, *)
    private static func yield(_ token: Data, to continuation: AsyncStream<String?>.Continuation) {
        continuation.yield(ActivityAuthorizationInfo().areActivitiesEnabled ? token.hexadecimal : nil)
    }
}

extension Data {
    /// Lower-case digits, as push services expect a token.
    var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
