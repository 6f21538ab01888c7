public import WireKit

/// The endpoints of the relay, except for the line (``SimBridgeLine``).
///
/// All but the first three (register, login, Google) require `Authorization: Bearer <token>`. A success is always 200; a failure is an
/// ``WireKit/DetailReply``. Source: `Docs/Protocols/SimBridge.md`, section 2.
public enum SimBridgeEndpoints {
    public static let register = Endpoint<Credentials, Registered>(.post, "/auth/register")
    public static let login = Endpoint<Credentials, LoggedIn>(.post, "/auth/login")
    public static let google = Endpoint<GoogleSignIn, LoggedIn>(.post, "/auth/google")

    /// Changes the password. Revokes all earlier tokens and closes the connections opened with them.
    public static let changePassword = Endpoint<PasswordChange, LoggedIn>(.post, "/auth/password")

    /// Deletes the account: devices, pairings, messages, notifications. Closes the connections of all its devices.
    public static let deleteAccount = Endpoint<AccountDeletion, DeletedAccount>(.post, "/auth/delete")

    public static let addDevice = Endpoint<DeviceRegistration, RegisteredDevice>(.post, "/devices")
    public static let devices = Endpoint<NoBody, [Device]>(.get, "/devices")

    /// Removes a device, its pairings and its connection. Its messages stay in the history.
    public static let removeDevice = Endpoint<NoBody, RemovedDevice>(.delete, "/devices/:id")
    public static let pairings = Endpoint<NoBody, [Pairing]>(.get, "/pairings")

    /// Creates a pairing code. Query: `host_device_id`. Invalidates the host's earlier codes.
    public static let pair = Endpoint<NoBody, PairingCode>(.post, "/pair")
    public static let confirmPairing = Endpoint<PairConfirmation, Paired>(.post, "/pair/confirm")

    public static let sendText = Endpoint<TextCommand, CommandReceipt>(.post, "/sms")
    public static let call = Endpoint<CallCommand, CommandReceipt>(.post, "/call")
    /// Requests the SIM cards of a host, which arrive as an event on the line. Query: `host_device_id`.
    public static let sims = Endpoint<NoBody, CommandReceipt>(.get, "/sims")

    /// The push services that the relay can use.
    public static let push = Endpoint<NoBody, RelayPushOffer>(.get, "/push")
    /// Turns on notifications for a client device, or changes them.
    public static let setPush = Endpoint<PushSettings<PushContent>, PushReply>(.put, "/devices/:id/push")
    /// Turns off notifications for a client device.
    public static let removePush = Endpoint<NoBody, PushReply>(.delete, "/devices/:id/push")

    /// Returns a page of the history. Query: `device_id`, `limit` (within ``HistoryPage/limits``), `offset`; all optional.
    public static let history = Endpoint<NoBody, HistoryPage>(.get, "/history")
}

/// The line, the WebSocket of a device. Query: `token`; our clients add `v=2` and `after`. See `Docs/Protocols/SimBridge-Line.md`.
public enum SimBridgeLine {
    /// The value of the query item `v` that enables acknowledgements.
    public static let version = 2
    /// The reason of the close frame (1008) when the device has opened another connection.
    public static let replacedReason = "Replaced by new connection"
    /// The reason of the close frame (1008) when the device was removed.
    public static let removedReason = "Device removed"
    /// The reason of the close frame (1008) when the token has expired or was revoked by a change of the password.
    public static let tokenEndedReason = "Token expired"
    /// The reason of the close frame (1008) when the account was deleted.
    public static let deletedReason = "Account deleted"
    /// The time after a client's report during which the relay counts it as being in the foreground.
    public static let presenceLifetime: Duration = .seconds(45)
    /// Maximum size of a message, in bytes. A larger message closes the connection with 1009.
    public static let maximumMessageSize = 16 * 1024 * 1024

    /// The path below the relay's base URL, without the query.
    public static func path(_ kind: Device.Kind, _ id: Device.ID) -> String { "/ws/\(kind.rawValue)/\(id)" }
}
