/// What an app declares when its client or its views use a part of the phone.
struct Capability {
    /// The key of `Info.plist`.
    var key: String
    /// The use, in code.
    var use: String
    /// The framework behind it, in ApplePlatform.
    var framework: String?

    static let all = [
        Capability(key: "NSCameraUsageDescription", use: ".scanner", framework: "VisionKit"),
        Capability(key: "NSMicrophoneUsageDescription", use: ".microphone", framework: "AVFAudio"),
        Capability(key: "NSSpeechRecognitionUsageDescription", use: ".recognition", framework: "Speech"),
        Capability(key: "NSFaceIDUsageDescription", use: ".biometrics", framework: "LocalAuthentication"),
        Capability(key: "NSBonjourServices", use: ".discovery", framework: "DiscoveryKit"),
        Capability(key: "NSSupportsLiveActivities", use: ".activities", framework: "ActivityKit"),
        Capability(key: "UIBackgroundModes", use: ".silentPushes(", framework: "UserNotifications"),
    ]

    /// Frameworks of Apple's that need no declaration, or whose declaration another framework of the same file stands for.
    static let undeclared: Set = [
        "AVFoundation", "CoreHaptics", "Dispatch", "Foundation", "Network", "Security", "SwiftUI", "UIKit", "Vision", "WidgetKit",
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
