/// Extension: the engines for free speech that a service can install, Whisper and Piper.
public struct EngineInstallation: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable {
        /// Not installed. `switchboard talkco engines --install` installs them, and so does `POST /engine/installation` where it is allowed.
        case absent
        /// An installation runs.
        case installing
        /// Installed, and about to run.
        case starting
        /// Installed, and used.
        case running
    }

    public var state: State
    /// True if this caller may install them: a page in a browser on the machine of the service.
    public var isAllowed: Bool
    /// The step of a running installation in words; the reason of one that failed.
    public var text: String?
    /// The downloaded bytes, and those of all downloads, while an installation downloads.
    public var done: Int?
    public var total: Int?
    /// True if the last installation failed.
    public var hasFailed: Bool?

    /// True while the state changes by itself.
    public var isUnderWay: Bool { state == .installing || state == .starting }

    private enum CodingKeys: String, CodingKey {
        case state
        case isAllowed = "is_allowed"
        case text
        case done
        case total
        case hasFailed = "has_failed"
    }

    public init(state: State, isAllowed: Bool) {
        (self.state, self.isAllowed) = (state, isAllowed)
    }
}
