/// The limits that both sides observe.
public enum Limits {
    /// Permitted sizes of a prompt in bytes of UTF-8. A prompt must contain more than white space.
    public static let promptSizes = 1...262_144
    /// Maximum size of ``PromptAnswer/customInput`` in bytes of UTF-8.
    public static let customInputSize = 262_144
    /// Maximum size of a client's frame in bytes. After a larger frame, the server closes the socket with ``CloseCode/tooLarge``.
    public static let frameSize = 1_048_576
    /// Maximum size of a ``Message`` as JSON, in bytes. The server cuts the longest text of a larger one: ``Message/isLarge``.
    public static let messageSize = 1_048_576
    /// Maximum size of a cut text of a large message, in bytes of UTF-8.
    public static let cutTextSize = 65_536
    /// Maximum bytes queued for one socket. Beyond it, the server closes the socket with ``CloseCode/tooSlow``.
    public static let backlogSize = 10_485_760
    /// Maximum size of a session's replay in bytes. A ``Gap`` reports the older events.
    public static let replaySize = 10_485_760
    /// Maximum open sockets of a server.
    public static let socketCount = 100
    /// Maximum sessions with a running agent.
    public static let runningSessionCount = 5
    /// Maximum prompts of a session that the agent has not taken up.
    public static let queuedPromptCount = 50
    /// Maximum sessions in ``SocketQuery/after``.
    public static let cursorCount = 50
    /// Maximum messages in ``Sync/recentMessages``.
    public static let recentMessageCount = 100
    /// Permitted page sizes of a history, in messages.
    public static let historyPageSizes = 1...1000
    /// Default page size of a history, in messages.
    public static let historyPageSize = 1000
    /// Maximum entries in a page of a folder.
    public static let folderPageSize = 100
    /// Maximum bytes of a file's content that a server sends without `full=1`.
    public static let fileSize = 1_048_576
    /// Maximum size of a file that a server sends, in bytes.
    public static let fullFileSize = 20_971_520
    /// Maximum size of each text of a ``WorkTreeDiff``, in bytes of UTF-8.
    public static let diffSize = 2_097_152
    /// Permitted lengths of an identifier in characters, all of them ASCII.
    public static let identifierLengths = 1...128
    /// Maximum length of a phone's name in characters. Longer names are cut.
    public static let phoneNameLength = 64

    /// Time for which a prompt waits for an answer before it expires.
    public static let promptTimeout = Duration.seconds(1800)
    /// Time after which a ``ClientFrame/presence(isActive:)`` expires.
    public static let presenceLifetime = Duration.seconds(45)
    /// Time without a frame after which a side sends a ping.
    public static let pingInterval = Duration.seconds(30)
    /// Maximum time between a ping and its pong.
    public static let pongTimeout = Duration.seconds(10)

    /// Returns the maximum size in bytes of a JSON object whose texts have `bytes` bytes of UTF-8: an escape sequence has up to six bytes
    /// for one. The other parts have at most 4 KiB.
    package static func jsonSize(ofTexts bytes: Int) -> Int { 6 * bytes + 4096 }

    /// Returns true for a prompt that a server accepts.
    public static func accepts(prompt: String) -> Bool {
        promptSizes.contains(prompt.utf8.count) && !prompt.allSatisfy(\.isWhitespace)
    }
}
