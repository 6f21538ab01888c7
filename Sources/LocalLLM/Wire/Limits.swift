/// The limits that both sides observe.
public enum Limits {
    /// Maximum size of a prompt, in bytes of UTF-8; the minimum is 1.
    public static let promptSize = 8_192
    /// Maximum size of ``ChatStart/messages``, in bytes of JSON.
    public static let messagesSize = 262_144
    /// Upper bound of a chunk's text, in bytes of UTF-8; the text is smaller than this.
    public static let chunkSize = 16_384
    /// Maximum size of a line, in bytes without its newline.
    public static let lineSize = 65_536
    /// Maximum size of a line to a host that offers ``Feature/messages``, in bytes without its newline.
    public static let lineSizeWithMessages = 327_680
    /// Count of bytes without a newline after which a connection is closed.
    public static let unframedSize = 1_048_576
    /// Maximum clients of a host at the same time.
    public static let clientCount = 5
    /// Maximum size of one answer, in bytes of UTF-8. A longer answer ends with ``FinishReason/length``.
    public static let answerSize = 1_048_576
    /// Maximum size of all stored answers of a host, in bytes of UTF-8.
    public static let storedSize = 67_108_864
    /// Retention of an answer on the host after its end.
    public static let retention = Duration.seconds(86_400)
    /// Maximum time for the user of a host to approve a phone.
    public static let approvalTimeout = Duration.seconds(120)
    /// The interval of ``Message/chatProgress(_:_:)`` while nothing changes.
    public static let progressInterval = Duration.seconds(5)

    /// Returns true for a prompt that a host accepts.
    public static func accepts(prompt: String) -> Bool { (1...promptSize).contains(prompt.utf8.count) }
}
