/// The code of an error. Readers accept unknown codes, and show the message that came with them.
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.init(rawValue: rawValue) }

    // MARK: Client errors

    /// The text is not a Server ID. Found before anything is sent.
    public static let invalidServerID = ErrorCode("INVALID_SERVER_ID")
    /// A host is announced, but no usable connection was made in time; or the network did not answer at all.
    public static let connectFailed = ErrorCode("CONNECT_FAILED")
    /// No host is announced under the Server ID.
    public static let hostOffline = ErrorCode("HOST_OFFLINE")
    /// The connection ended after the host had introduced itself.
    public static let hostDisconnected = ErrorCode("HOST_DISCONNECTED")
    /// The host did not respond to a request within 30 s.
    public static let timeoutNoResponse = ErrorCode("TIMEOUT_NO_RESPONSE")

    // MARK: Host and engine errors

    /// No model server answers at the host.
    public static let ollamaNotFound = ErrorCode("OLLAMA_NOT_FOUND")
    /// The model server does not have the model.
    public static let ollamaModelNotAvailable = ErrorCode("OLLAMA_MODEL_NOT_AVAILABLE")
    /// Another answer is being generated; or the host has ``Limits/clientCount`` clients.
    public static let modelBusy = ErrorCode("MODEL_BUSY")
    /// The engine refused the request, broke off the answer or stopped responding; or the host restarted.
    public static let generationFailed = ErrorCode("GENERATION_FAILED")
    /// The prompt alone is longer than the text that the model can read at once.
    public static let contextExceeded = ErrorCode("CONTEXT_EXCEEDED")
    /// The answer was stopped at the host.
    public static let generationAborted = ErrorCode("GENERATION_ABORTED")

    // MARK: Protocol errors

    /// A message that the receiver could not read, or whose values are out of bounds.
    public static let badMessage = ErrorCode("BAD_MESSAGE")
    /// A message of another version than 1. The connection is closed.
    public static let unsupportedVersion = ErrorCode("UNSUPPORTED_VERSION")

    /// The replacement of a code that is not shown.
    package static let unknown = ErrorCode("UNKNOWN_ERROR")

    // MARK: Approval of new phones

    /// The host asks its user to approve this phone.
    public static let approvalPending = ErrorCode("APPROVAL_PENDING")
    /// The user of the host refused, or did not answer in time. The connection is closed.
    public static let approvalRefused = ErrorCode("APPROVAL_REFUSED")
    /// The invitation of this phone was used already, or is too old. The phone waits for an approval.
    public static let invitationInvalid = ErrorCode("INVITATION_INVALID")
}
