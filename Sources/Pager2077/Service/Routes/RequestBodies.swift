package import Pager2077Wire
package import ServerKit
import WireKit

// The decoding of each body, with the contract's sentence for each mistake (`Docs/Protocols/Pager2077.md`, section 2).

extension Registration: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let token = fields.string("deviceToken", length: 1...Registration.maximumTokenLength)
        if token.trimmingWhitespace().isEmpty { fields.report("deviceToken", .missing, "Device token is required") }
        self.init(deviceToken: token)
    }
}

extension AccountDeletion: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(hexCode: fields.string("hexCode", allowsNull: true, message: "Hex code is required"))
    }
}

extension StatusUpdate: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let status = User.Status(rawValue: fields.string("status", message: Self.sentence))
        if status == nil { fields.report("status", .invalid, Self.sentence) }
        self.init(status: status ?? .offline)
    }

    private static var sentence: String { "Status must be \"online\" or \"offline\"" }
}

extension DisplayNameUpdate: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(displayName: fields.string("displayName", allowsNull: true, message: "Display name is required"))
    }
}

extension LiveActivityTokenUpdate: FieldDecodable {
    package init(from fields: inout FieldReader) {
        // Null removes the token; an absent field must not.
        if !fields.contains("liveActivityToken") { fields.report("liveActivityToken", .missing) }
        self.init(
            liveActivityToken: fields.optionalString("liveActivityToken", length: 1...Registration.maximumTokenLength),
            deviceId: fields.optionalString("deviceId").map { PushDevice.ID($0) })
    }
}

extension PushDeviceUpdate: FieldDecodable {
    package init(from fields: inout FieldReader) {
        // Null takes the address away; an absent field must not.
        if !fields.contains("address") { fields.report("address", .missing) }
        let address = PushAddress(from: &fields)
        let language = fields.string("language", length: 1...Devices.maximumLanguageLength)
        if fields["showsPreviews"] == nil { fields.report("showsPreviews", .missing) }
        var showsPreviews = false
        switch fields["showsPreviews"] {
        case nil: break
        case .bool(let value): showsPreviews = value
        default: fields.report("showsPreviews", .wrongType(expected: "boolean"))
        }
        self.init(address: address, language: language, showsPreviews: showsPreviews)
    }
}

extension PushAddress {
    private static var sentence: String { "address must be null, or an object with one of apns, webPush and ntfy" }

    /// Reads `address` and checks its form; the rules check the rest.
    fileprivate init?(from fields: inout FieldReader) {
        guard let value = fields["address"] else { return nil }
        guard case .object(let address) = value else {
            fields.report("address", .invalid, Self.sentence)
            return nil
        }
        let kinds = ["apns", "webPush", "ntfy"].filter { address[$0, default: .null] != .null }
        guard kinds.count == 1, case .object(let members) = address[kinds[0]] else {
            fields.report("address", .invalid, Self.sentence)
            return nil
        }
        let path = "address.\(kinds[0])"
        var reader = FieldReader(members)
        switch kinds[0] {
        case "apns": self = .apns(token: reader.string("token"), environment: reader.optionalString("environment"))
        case "ntfy": self = .ntfy(topic: reader.string("topic"))
        default:
            var keys = FieldReader([:])
            if case .object(let members) = reader["keys"] { keys = FieldReader(members) }
            let subscription = PushSubscription(
                endpoint: reader.string("endpoint"), keys: .init(p256dh: keys.string("p256dh"), auth: keys.string("auth")))
            fields.report(keys.issues, below: path + ".keys")
            self = .webPush(subscription)
        }
        fields.report(reader.issues, below: path)
    }
}

extension FieldReader {
    /// Adds the errors of an object inside this one.
    fileprivate mutating func report(_ issues: [FieldIssue], below path: String) {
        for issue in issues { report("\(path).\(issue.field)", issue.kind, "\(path).\(issue.message)") }
    }
}

extension FriendRequestCreation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(toHexCode: fields.string("toHexCode", allowsNull: true, message: "Hex code is required"))
    }
}

extension MessageCreation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let recipient = fields.string("recipientId", message: "Recipient ID is required")
        if recipient.isEmpty { fields.report("recipientId", .missing, "Recipient ID is required") }
        let text = fields.string("text", message: "Message text is required")
        if text.isEmpty { fields.report("text", .missing, "Message text is required") }
        let clientId = fields.optionalString("clientId", length: 1...MessageCreation.maximumClientIDLength)
        self.init(recipientId: User.ID(recipient), text: text, clientId: clientId)
    }
}

extension ReportCreation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let user = fields.string("userId", message: "User ID is required")
        if user.isEmpty { fields.report("userId", .missing, "User ID is required") }
        let message = fields.optionalString("messageId")
        let reason = ReportReason(rawValue: fields.string("reason", message: Self.sentence))
        if reason == nil { fields.report("reason", .invalid, Self.sentence) }
        var blocks = false
        switch fields["blocks"] {
        case nil: break
        case .bool(let value): blocks = value
        default: fields.report("blocks", .wrongType(expected: "boolean"))
        }
        self.init(userId: User.ID(user), messageId: message.map { Message.ID($0) }, reason: reason ?? .other, blocks: blocks)
    }

    private static var sentence: String {
        "Reason must be one of: \(ReportReason.allCases.map(\.rawValue).joined(separator: ", "))"
    }
}

extension ScoreSubmission: FieldDecodable {
    package init(from fields: inout FieldReader) throws {
        guard case .string(let name) = fields["game"], let game = Game(rawValue: name) else { throw PagerError.invalidGame }
        guard case .integer(let wide) = fields["score"], let score = Int(exactly: wide), score >= 0 else {
            throw PagerError(.invalidScore, "Score must be a non-negative integer")
        }
        self.init(game: game, score: score)
    }
}

extension PagerError {
    static let invalidGame = PagerError(
        .invalidGame, "Game must be one of: \(Game.allCases.map(\.rawValue).joined(separator: ", "))")
}
