/// The limits that both sides observe.
public enum Limits {
    /// The lengths of a prompt in bytes of UTF-8. A prompt has more than white space.
    public static let promptSizes = 1...262_144
    /// The maximum size of ``PromptAnswer/customInput`` in bytes of UTF-8.
    public static let customInputSize = 262_144
    /// The maximum size of a frame that a client sends, in bytes. A larger one closes the socket with ``CloseCode/tooLarge``.
    public static let frameSize = 1_048_576
    /// The size of a ``Message`` as JSON, in bytes, above which the server cuts its longest text: ``Message/isLarge``.
    public static let messageSize = 1_048_576
    /// The size to which a text of a large message is cut, in bytes of UTF-8.
    public static let cutTextSize = 65_536
    /// The number of bytes that wait for one socket above which the server closes it with ``CloseCode/tooSlow``.
    public static let backlogSize = 10_485_760
    /// The maximum size of a session's replay in bytes. Older events are reported by ``Gap``.
    public static let replaySize = 10_485_760
    /// The number of sockets that a server accepts at the same time.
    public static let socketCount = 100
    /// The number of sessions with a running agent.
    public static let runningSessionCount = 5
    /// Maximum prompts of a session that the agent has not taken up.
    public static let queuedPromptCount = 50
    /// The maximum number of sessions in ``SocketQuery/after``.
    public static let cursorCount = 50
    /// The maximum number of messages in ``Sync/recentMessages``.
    public static let recentMessageCount = 100
    /// The permitted page sizes of a history.
    public static let historyPageSizes = 1...1000
    /// The page size of a history when the request names none.
    public static let historyPageSize = 1000
    /// The number of entries in a page of a folder.
    public static let folderPageSize = 100
    /// The number of bytes of a file's content that a server sends without `full=1`.
    public static let fileSize = 1_048_576
    /// The maximum size of a file that a server sends, in bytes.
    public static let fullFileSize = 20_971_520
    /// The maximum size of each text of a ``WorkTreeDiff``, in bytes of UTF-8.
    public static let diffSize = 2_097_152
    /// The permitted lengths of an identifier in characters, all of them ASCII.
    public static let identifierLengths = 1...128
    /// The maximum length of a phone's name in characters. A longer one is cut.
    public static let phoneNameLength = 64

    /// The time for which a question stays open.
    public static let promptTimeout = Duration.seconds(1800)
    /// The time for which ``ClientFrame/presence(isActive:)`` counts.
    public static let presenceLifetime = Duration.seconds(45)
    /// The interval at which a client in the foreground repeats its presence.
    public static let presenceInterval = Duration.seconds(30)
    /// The time without a frame after which a side pings.
    public static let pingInterval = Duration.seconds(30)
    /// The time that the other side has to answer a ping.
    public static let pongTimeout = Duration.seconds(10)
    /// The maximum delay between a line of the agent and its frame to every phone.
    public static let outputDelay = Duration.milliseconds(50)

    /// True for a prompt that a server accepts.
    public static func accepts(prompt: String) -> Bool {
        promptSizes.contains(prompt.utf8.count) && !prompt.allSatisfy(\.isWhitespace)
    }
}
