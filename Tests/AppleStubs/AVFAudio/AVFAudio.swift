// The part of AVFAudio that ApplePlatform uses. Pages: https://developer.apple.com/documentation/avfaudio/<type>/<member>
@_exported import Foundation

// MARK: avaudiosession

open class AVAudioSession: NSObject {
    /// avaudiosession/category-swift.struct
    public struct Category: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let ambient = Category(rawValue: "")
        public static let playback = Category(rawValue: "")
        public static let playAndRecord = Category(rawValue: "")
    }

    /// avaudiosession/mode-swift.struct
    public struct Mode: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "")
    }

    /// avaudiosession/categoryoptions-swift.struct
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var allowBluetoothHFP: CategoryOptions { fatalError() }
        public static var defaultToSpeaker: CategoryOptions { fatalError() }
    }

    /// avaudiosession/setactiveoptions
    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var notifyOthersOnDeactivation: SetActiveOptions { fatalError() }
    }

    /// avaudiosession/interruptiontype
    public enum InterruptionType: UInt, Sendable {
        case began = 1
        case ended = 0
    }

    /// avaudiosession/routechangereason
    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case newDeviceAvailable, oldDeviceUnavailable, categoryChange, override
        case wakeFromSleep = 6
        case noSuitableRouteForCategory, routeConfigurationChange
    }

    open class func sharedInstance() -> AVAudioSession { fatalError() }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
    open var isInputAvailable: Bool { fatalError() }
    public class var interruptionNotification: NSNotification.Name { fatalError() }
    public class var routeChangeNotification: NSNotification.Name { fatalError() }
    public class var mediaServicesWereResetNotification: NSNotification.Name { fatalError() }
}

/// avaudiosessioninterruptiontypekey
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionInterruptionTypeKey = ""
/// avaudiosessionroutechangereasonkey
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVAudioSessionRouteChangeReasonKey = ""

/// avaudioapplication
@available(iOS 17.0, *)
open class AVAudioApplication: NSObject {
    /// avaudioapplication/requestrecordpermission(completionhandler:), called as an asynchronous method.
    open class func requestRecordPermission() async -> Bool { fatalError() }
}

// MARK: avaudioengine

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int
/// avaudionodetapblock
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

/// avaudioplayernodecompletioncallbacktype
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    case dataConsumed, dataRendered, dataPlayedBack
}

/// avaudiocommonformat
public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

open class AVAudioTime: NSObject {}

open class AVAudioFormat: NSObject {
    public init?(commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {}
    open var channelCount: AVAudioChannelCount { fatalError() }
    open var sampleRate: Double { fatalError() }
}

open class AVAudioBuffer: NSObject {}

open class AVAudioPCMBuffer: AVAudioBuffer {
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
    open var frameLength: AVAudioFrameCount {
        get { fatalError() }
        set {}
    }
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
}

open class AVAudioNode: NSObject {
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError() }
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {}
    open func removeTap(onBus bus: AVAudioNodeBus) {}
}

open class AVAudioIONode: AVAudioNode {}
open class AVAudioInputNode: AVAudioIONode {}
open class AVAudioMixerNode: AVAudioNode {}

open class AVAudioPlayerNode: AVAudioNode {
    public override init() {}
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
    ) {}
    open func play() {}
    open func stop() {}
}

open class AVAudioEngine: NSObject {
    public override init() {}
    open func attach(_ node: AVAudioNode) {}
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
    open func prepare() {}
    open func start() throws {}
    open func stop() {}
    open var inputNode: AVAudioInputNode { fatalError() }
    open var mainMixerNode: AVAudioMixerNode { fatalError() }
}

extension NSNotification.Name {
    /// foundation/nsnotification/name-swift.struct/avaudioengineconfigurationchange
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let AVAudioEngineConfigurationChange = NSNotification.Name("")
}

// MARK: avaudioplayer

open class AVAudioPlayer: NSObject {
    public init(data: Data) throws {}
    @discardableResult open func play() -> Bool { fatalError() }
}
