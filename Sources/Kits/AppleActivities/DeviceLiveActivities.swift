#if os(iOS)
    public import ActivityKit
    import ApplePlatform
    import Foundation
    public import PlatformKit
    import UIKit
    import WireKit

    /// The Live Activities of an iPhone, from iOS 17.2 on.
    public struct DeviceLiveActivities<Attributes: ActivityAttributes & Sendable>: LiveActivities {
        private let tapID: @Sendable (Attributes) -> String?

        /// - Parameter tapID: Returns the id that a tap on an activity delivers; nil if a tap delivers none.
        public init(_ attributes: Attributes.Type, tapID: @escaping @Sendable (Attributes) -> String?) { self.tapID = tapID }

        @concurrent public func end(id: String?) async {
            for activity in Activity<Attributes>.activities where id == nil || tapID(activity.attributes) == id {
                await activity.end(nil, dismissalPolicy: .immediate)
            }
        }

        @MainActor
        public func startTokens() -> AsyncStream<String?> {
            let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(1))
            guard #available(iOS 17.2, *) else {
                continuation.finish()
                return stream
            }
            let tokens = Task { @MainActor in
                for await token in Activity<Attributes>.pushToStartTokenUpdates { Self.yield(token, to: continuation) }
            }
            let switches = Task { @MainActor in
                // The stream of updates may end when this object is released.
                let authorization = ActivityAuthorizationInfo()
                for await _ in authorization.activityEnablementUpdates { Self.yieldPresent(to: continuation) }
                withExtendedLifetime(authorization) {}
            }
            // At launch, the streams above may not report a token that the system already has.
            let observer = MainObserver(UIApplication.didBecomeActiveNotification) { _ in Self.yieldPresent(to: continuation) }
            continuation.onTermination = { _ in
                for task in [tokens, switches] { task.cancel() }
                withExtendedLifetime(observer) {}
            }
            Self.yieldPresent(to: continuation)
            return stream
        }

        /// Yields the current token, or nil if Live Activities are switched off; yields nothing while the system has no token yet.
        @available(iOS 17.2, *)
        private static func yieldPresent(to continuation: AsyncStream<String?>.Continuation) {
            if let token = Activity<Attributes>.pushToStartToken {
                yield(token, to: continuation)
            } else if !ActivityAuthorizationInfo().areActivitiesEnabled {
                continuation.yield(nil)
            }
        }

        @available(iOS 17.2, *)
        private static func yield(_ token: Data, to continuation: AsyncStream<String?>.Continuation) {
            continuation.yield(ActivityAuthorizationInfo().areActivitiesEnabled ? token.hexadecimal : nil)
        }
    }
#endif
