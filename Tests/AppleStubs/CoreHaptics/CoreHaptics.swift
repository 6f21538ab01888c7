// The part of CoreHaptics that ApplePlatform uses. Pages: https://developer.apple.com/documentation/corehaptics/<type>/<member>
@_exported import Foundation

/// chhaptictimeimmediate
// swift-format-ignore: AlwaysUseLowerCamelCase
public var CHHapticTimeImmediate: TimeInterval { 0 }

/// chhapticdevicecapability
public protocol CHHapticDeviceCapability {
    var supportsHaptics: Bool { get }
}

/// chhapticengine
// Not an NSObject here: Swift does not let `init() throws` replace `init()`, which it does for classes of Objective-C.
open class CHHapticEngine {
    open class func capabilitiesForHardware() -> any CHHapticDeviceCapability { fatalError() }
    public init() throws {}
    open var isAutoShutdownEnabled: Bool {
        get { fatalError() }
        set {}
    }
    open func start() throws {}
    open func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer { fatalError() }
}

/// chhapticpatternplayer
public protocol CHHapticPatternPlayer: NSObjectProtocol {
    func start(atTime time: TimeInterval) throws
}

/// chhapticpattern
open class CHHapticPattern: NSObject {
    public init(events: [CHHapticEvent], parameters: [CHHapticDynamicParameter]) throws {}
}

/// chhapticdynamicparameter
open class CHHapticDynamicParameter: NSObject {}

/// chhapticevent
open class CHHapticEvent: NSObject {
    /// chhapticevent/eventtype
    public struct EventType: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let hapticContinuous = EventType(rawValue: "")
    }

    /// chhapticevent/parameterid
    public struct ParameterID: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let hapticIntensity = ParameterID(rawValue: "")
    }

    public init(
        eventType type: EventType, parameters eventParams: [CHHapticEventParameter], relativeTime time: TimeInterval,
        duration: TimeInterval
    ) {}
}

/// chhapticeventparameter
open class CHHapticEventParameter: NSObject {
    public init(parameterID: CHHapticEvent.ParameterID, value: Float) {}
}
