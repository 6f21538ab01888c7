/// Extension: the engines for free speech that a service can install, Whisper and Piper.
public struct EngineInstallation: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable {
        /// Not installed. `switchboard talkco engines --install` installs the engines, or `POST /engine/installation` if allowed.
        case absent
        /// An installation runs.
        case installing
        /// Installed, and about to run.
        case starting
        /// Installed, and used.
        case running
    }

    public var state: State
    /// True if this caller may install the engines: a page in a browser on the machine of the service.
    public var isAllowed: Bool
    /// The step of a running installation in words, or the reason of a failed installation.
    public var text: String?
    /// Downloaded bytes and, as `total`, the size of all downloads; nil unless an installation is downloading.
    public var done: Int?
    public var total: Int?
    /// True if the last installation failed.
    public var hasFailed: Bool?

    /// True while an installation runs or the installed engines start.
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
