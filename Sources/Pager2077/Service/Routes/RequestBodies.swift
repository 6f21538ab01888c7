public import Pager2077Wire
public import ServerKit
import WireKit

// The decoding of each body, with the contract's sentence for each mistake (`Docs/Protocols/Pager2077.md`, section 2).

extension Registration: FieldDecodable {
    public init(from fields: inout FieldReader) {
        let token = fields.string("deviceToken", length: 1...Registration.maximumTokenLength)
        if token.trimmingWhitespace().isEmpty { fields.report("deviceToken", .missing, "Device token is required") }
        self.init(deviceToken: token)
    }
}

extension StatusUpdate: FieldDecodable {
    public init(from fields: inout FieldReader) {
        let status = User.Status(rawValue: fields.string("status", message: Self.sentence))
        if status == nil { fields.report("status", .invalid, Self.sentence) }
        self.init(status: status ?? .offline)
    }

    private static var sentence: String { "Status must be \"online\" or \"offline\"" }
}

extension DisplayNameUpdate: FieldDecodable {
    public init(from fields: inout FieldReader) {
        self.init(displayName: fields.string("displayName", allowsNull: true, message: "Display name is required"))
    }
}

extension LiveActivityTokenUpdate: FieldDecodable {
    public init(from fields: inout FieldReader) {
        // Null removes the token; an absent field must not.
        if !fields.contains("liveActivityToken") { fields.report("liveActivityToken", .missing) }
        self.init(liveActivityToken: fields.optionalString("liveActivityToken", length: 1...Registration.maximumTokenLength))
    }
}

extension FriendRequestCreation: FieldDecodable {
    public init(from fields: inout FieldReader) {
        self.init(toHexCode: fields.string("toHexCode", allowsNull: true, message: "Hex code is required"))
    }
}

extension MessageCreation: FieldDecodable {
    public init(from fields: inout FieldReader) {
        let recipient = fields.string("recipientId", message: "Recipient ID is required")
        if recipient.isEmpty { fields.report("recipientId", .missing, "Recipient ID is required") }
        let text = fields.string("text", message: "Message text is required")
        if text.isEmpty { fields.report("text", .missing, "Message text is required") }
        let clientId = fields.optionalString("clientId", length: 1...MessageCreation.maximumClientIDLength)
        self.init(recipientId: User.ID(recipient), text: text, clientId: clientId)
    }
}

extension ScoreSubmission: FieldDecodable {
    public init(from fields: inout FieldReader) throws {
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
