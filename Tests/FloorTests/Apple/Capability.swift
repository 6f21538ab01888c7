/// A capability of the phone that an app declares.
struct Capability {
    /// The key of `Info.plist`.
    var key: String
    /// The use in a client or in views; nil for a capability that no app has.
    var use: String?
    /// Names of the protected interfaces behind it. App Store Connect refuses a program that contains one of them without the key, even if it is
    /// never called. Empty for a capability without a protected interface.
    var interfaces: [String]

    static let all = [
        Capability(
            key: "NSCameraUsageDescription", use: ".scanner",
            interfaces: ["AVCaptureDevice", "DataScannerViewController", "UIImagePickerController", "ARSession"]),
        Capability(
            key: "NSMicrophoneUsageDescription", use: ".microphone",
            interfaces: ["requestRecordPermission", "AVAudioRecorder", ".inputNode"]),
        Capability(
            key: "NSSpeechRecognitionUsageDescription", use: ".recognition",
            interfaces: ["SFSpeechRecognizer", "SpeechTranscriber", "SpeechAnalyzer"]),
        Capability(
            key: "NSFaceIDUsageDescription", use: ".biometrics", interfaces: ["LAContext", ".biometryCurrentSet", ".biometryAny"]),
        Capability(
            key: "NSBonjourServices", use: ".discovery",
            interfaces: ["DNSServiceBrowse", "DNSServiceRegister", "NWBrowser", "NetServiceBrowser"]),
        Capability(key: "NSSupportsLiveActivities", use: ".activities", interfaces: ["ActivityAuthorizationInfo", "Activity<"]),
        Capability(key: "UIBackgroundModes", use: "receive(silent"),
        Capability(key: "NSPhotoLibraryUsageDescription", interfaces: ["PHPhotoLibrary", "PHAsset"]),
        Capability(key: "NSPhotoLibraryAddUsageDescription", interfaces: ["UIImageWriteToSavedPhotosAlbum"]),
        Capability(key: "NSLocationWhenInUseUsageDescription", interfaces: ["CLLocationManager", "CLLocationUpdate"]),
        Capability(key: "NSContactsUsageDescription", interfaces: ["CNContactStore"]),
        Capability(key: "NSCalendarsFullAccessUsageDescription", interfaces: ["EKEventStore"]),
        Capability(key: "NSBluetoothAlwaysUsageDescription", interfaces: ["CBCentralManager", "CBPeripheralManager"]),
        Capability(key: "NSMotionUsageDescription", interfaces: ["CMMotionActivityManager", "CMPedometer", "CMAltimeter"]),
        Capability(key: "NSAppleMusicUsageDescription", interfaces: ["MPMediaLibrary", "MPMediaQuery"]),
        Capability(key: "NSHealthShareUsageDescription", interfaces: ["HKHealthStore"]),
        Capability(key: "NSHomeKitUsageDescription", interfaces: ["HMHomeManager"]),
        Capability(key: "NSSiriUsageDescription", interfaces: ["INPreferences"]),
        Capability(key: "NSUserTrackingUsageDescription", interfaces: ["ATTrackingManager"]),
        Capability(key: "NFCReaderUsageDescription", interfaces: ["NFCNDEFReaderSession", "NFCTagReaderSession"]),
        Capability(key: "NSNearbyInteractionUsageDescription", interfaces: ["NISession"]),
        // All apps reach a server that may be on the same network.
        Capability(
            key: "NSLocalNetworkUsageDescription", use: "phone", interfaces: ["URLSession", "NWConnection", "DatagramBootstrap"]),
    ]

    init(key: String, use: String? = nil, interfaces: [String] = []) {
        (self.key, self.use, self.interfaces) = (key, use, interfaces)
    }

    /// The lines of code that name an interface of the capability.
    func uses(in files: [SourceFile]) -> [String] {
        files.filter { interfaces.contains(where: $0.contains) }.flatMap { file in
            file.code.filter { _, line in interfaces.contains { line.contains($0) } }.map { "\(file.path):\($0): \($1)" }
        }
    }

    /// The frameworks of Apple's that code for iPhones imports. A further one may need a declaration: add the interface that does to ``all``.
    static let frameworks: Set = [
        "AVFAudio", "AVFoundation", "ActivityKit", "CoreHaptics", "Dispatch", "Foundation", "LocalAuthentication", "Network",
        "Security", "Speech", "SwiftUI", "UIKit", "UserNotifications", "Vision", "VisionKit", "WidgetKit",
    ]

    /// A category of interfaces that an app has to give a reason for, with the parts of the code that call one.
    ///
    /// From Apple's *Describing use of required reason API*.
    static let reasoned: [(category: String, calls: [String])] = [
        ("UserDefaults", ["UserDefaults"]),
        (
            "FileTimestamp",
            ["stat(", "getattrlist", ".creationDate", ".modificationDate", "contentModificationDate", "creationDateKey"]
        ),
        ("SystemBootTime", ["systemUptime", "mach_absolute_time"]),
        ("DiskSpace", ["volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs", "statvfs"]),
        ("ActiveKeyboards", ["activeInputModes"]),
    ]
}
