public import WireKit

/// Everything a device can ask of the relay, beside its line (``SimBridgeLine``).
///
/// All but the first three (register, log in, Google) need `Authorization: Bearer <token>`. A success is always 200; a failure is an ``ErrorReply``.
/// Source: `Docs/Protocols/SimBridge.md`, section 2.
public enum SimBridgeEndpoints {
    public static let register = Endpoint<Credentials, Registered>(.post, "/auth/register")
    public static let login = Endpoint<Credentials, LoggedIn>(.post, "/auth/login")
    public static let google = Endpoint<GoogleSignIn, LoggedIn>(.post, "/auth/google")

    /// A new password. All earlier tokens are void from then on, and the lines that were opened with them end.
    public static let changePassword = Endpoint<PasswordChange, LoggedIn>(.post, "/auth/password")

    public static let addDevice = Endpoint<DeviceRegistration, RegisteredDevice>(.post, "/devices")
    public static let devices = Endpoint<NoBody, [Device]>(.get, "/devices")

    /// Ends the device's pairings and its line. What it sent and received stays in the history.
    public static let removeDevice = Endpoint<NoBody, RemovedDevice>(.delete, "/devices/:id")
    public static let pairings = Endpoint<NoBody, [Pairing]>(.get, "/pairings")

    /// Query: `host_device_id`. Voids the host's earlier codes.
    public static let pair = Endpoint<NoBody, PairingCode>(.post, "/pair")
    public static let confirmPairing = Endpoint<PairConfirmation, Paired>(.post, "/pair/confirm")

    public static let sendText = Endpoint<TextCommand, CommandReceipt>(.post, "/sms")
    public static let call = Endpoint<CallCommand, CommandReceipt>(.post, "/call")
    /// Query: `host_device_id`. The SIM cards come as an event over the line.
    public static let sims = Endpoint<NoBody, CommandReceipt>(.get, "/sims")

    /// Query: `device_id`, `limit` (one of ``HistoryPage/limits``), `offset`; all optional.
    public static let history = Endpoint<NoBody, HistoryPage>(.get, "/history")
}

/// The WebSocket of a device. Query: `token`; ours also take `v=2` and `after`. See `Docs/Protocols/SimBridge-Line.md`.
public enum SimBridgeLine {
    /// The value of the query item `v` with which acknowledgements are asked for.
    public static let version = 2
    /// The reason of the close frame (1008) for a socket whose device has opened another.
    public static let replacedReason = "Replaced by new connection"
    /// The reason of the close frame (1008) for the line of a device that was removed.
    public static let removedReason = "Device removed"
    /// The reason of the close frame (1008) for a line whose token has ended, or was voided by a change of the password.
    public static let tokenEndedReason = "Token expired"
    /// Largest message, in bytes. A larger one ends the socket with 1009.
    public static let maximumMessageSize = 16 * 1024 * 1024

    /// Path below the relay's base URL, without the query.
    public static func path(_ kind: Device.Kind, _ id: Device.ID) -> String { "/ws/\(kind.rawValue)/\(id)" }
}
