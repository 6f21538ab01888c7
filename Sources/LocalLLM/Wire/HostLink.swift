/// The address of a host as a user pastes or scans it: a Server ID, alone or as a link, which may carry an invitation.
///
///     localllm://<Server ID>?invite=<secret>
public struct HostLink: Hashable, Sendable {
    private static let key = "invite"

    public let serverID: ServerID
    public let invitation: Invitation?

    public init(_ serverID: ServerID, invitation: Invitation? = nil) {
        (self.serverID, self.invitation) = (serverID, invitation)
    }

    /// Reads a Server ID or a link. White space around it, and fields of the link other than `invite`, are ignored.
    ///
    /// - Returns: nil without a valid Server ID, and for an `invite` that is no invitation: ``ErrorCode/invalidServerID``.
    public init?(text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, let serverID = ServerID(text: String(address)) else { return nil }
        var invitation: Invitation?
        for field in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair[0] == Self.key else { continue }
            invitation = Invitation(pair.count > 1 ? pair[1].filter { !$0.isWhitespace } : "")
            guard invitation != nil else { return nil }
        }
        self.init(serverID, invitation: invitation)
    }

    /// The address as a link, with the secret of the invitation.
    public var text: String { serverID.link + (invitation.map { "?\(Self.key)=\($0.secret)" } ?? "") }
}

/// A secret that lets one new phone use a host without the approval of its user.
///
/// The description does not contain the secret, so that no log does.
public struct Invitation: Hashable, Sendable, CustomStringConvertible {
    /// The permitted lengths of ``secret`` in characters.
    public static let lengths = 8...64

    /// The secret, in ASCII letters and digits.
    public let secret: String

    /// Creates an invitation; nil for anything but ASCII letters and digits of the permitted ``lengths``.
    public init?(_ secret: String) {
        guard Self.lengths.contains(secret.utf8.count), secret.unicodeScalars.allSatisfy(Self.isPermitted) else {
            return nil
        }
        self.secret = secret
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    public var description: String { "an invitation" }
}
