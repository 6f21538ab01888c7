/// The limits that both sides observe.
public enum Limits {
    /// The maximum size of a prompt in bytes of UTF-8. A prompt has at least one.
    public static let promptSize = 8_192
    /// The maximum size of ``ChatStart/messages`` in bytes of JSON.
    public static let messagesSize = 262_144
    /// A chunk's text is smaller than this, in bytes of UTF-8.
    public static let chunkSize = 16_384
    /// The maximum size of a line in bytes, without its newline.
    public static let lineSize = 65_536
    /// The maximum size of a line to a host that offers ``Feature/messages``.
    public static let lineSizeWithMessages = 327_680
    /// The number of bytes without a newline after which a connection is closed.
    public static let unframedSize = 1_048_576
    /// The number of clients that a host accepts at the same time.
    public static let clientCount = 5
    /// The maximum size of one answer in bytes of UTF-8. A longer one ends with ``FinishReason/length``.
    public static let answerSize = 1_048_576
    /// The maximum size of all stored answers of a host in bytes of UTF-8.
    public static let storedSize = 67_108_864
    /// The time for which a host keeps an answer after its end.
    public static let retention = Duration.seconds(86_400)
    /// The time that the user of a host has to approve a phone.
    public static let approvalTimeout = Duration.seconds(120)
    /// The interval of ``Message/chatProgress(_:_:)`` while nothing changes.
    public static let progressInterval = Duration.seconds(5)

    /// True for a prompt that a host accepts.
    public static func accepts(prompt: String) -> Bool { (1...promptSize).contains(prompt.utf8.count) }
}
