// The part of ActivityKit that ApplePlatform uses. Pages: https://developer.apple.com/documentation/activitykit/<type>/<member>
public import Foundation

/// activityattributes
@available(iOS 16.1, *)
public protocol ActivityAttributes: Decodable, Encodable {
    associatedtype ContentState: Decodable, Encodable, Hashable
}

/// activity
@available(iOS 16.1, *)
public class Activity<Attributes: ActivityAttributes> {
    /// activity/activities
    public static var activities: [Activity<Attributes>] { fatalError() }
    /// activity/attributes
    public let attributes: Attributes
    init(attributes: Attributes) { self.attributes = attributes }
    /// activity/end(_:dismissalpolicy:)
    @available(iOS 16.2, *)
    public func end(
        _ content: ActivityContent<Attributes.ContentState>?, dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async { fatalError() }

    /// activity/pushtostarttokenupdates
    @available(iOS 17.2, *)
    public static var pushToStartTokenUpdates: PushTokenUpdates { fatalError() }
    /// activity/pushtostarttoken
    @available(iOS 17.2, *)
    public static var pushToStartToken: Data? { fatalError() }

    /// activity/pushtokenupdates-swift.struct
    public struct PushTokenUpdates: AsyncSequence {
        public struct Iterator: AsyncIteratorProtocol {
            public func next() async -> Data? { fatalError() }
        }
        public func makeAsyncIterator() -> Iterator { fatalError() }
    }
}

/// activitycontent
@available(iOS 16.2, *)
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
    public var state: State { fatalError() }
}

/// activityuidismissalpolicy
@available(iOS 16.1, *)
public struct ActivityUIDismissalPolicy: Equatable {
    public static var `default`: ActivityUIDismissalPolicy { fatalError() }
    public static var immediate: ActivityUIDismissalPolicy { fatalError() }
}

/// activityauthorizationinfo
@available(iOS 16.1, *)
public final class ActivityAuthorizationInfo {
    public init() {}
    public var areActivitiesEnabled: Bool { fatalError() }
    public let activityEnablementUpdates = ActivityEnablementUpdates()

    /// activityauthorizationinfo/activityenablementupdates-swift.struct
    public struct ActivityEnablementUpdates: AsyncSequence {
        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async -> Bool? { fatalError() }
        }
        public func makeAsyncIterator() -> Iterator { fatalError() }
    }
}
