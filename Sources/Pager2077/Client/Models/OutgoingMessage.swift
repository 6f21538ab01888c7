import Foundation
import NetworkingKit
import Pager2077Wire
import WireKit

/// What the outbox keeps of a message.
struct OutgoingMessage: Codable, Hashable, Sendable {
    var recipientId: User.ID
    var text: String

    init(recipientId: User.ID, text: String) {
        self.recipientId = recipientId
        self.text = text
    }

    /// - Returns: nil for an item of another version.
    init?(_ item: OutboxItem) {
        guard let message = try? WireJSON.decode(OutgoingMessage.self, from: item.payload) else { return nil }
        self = message
    }

    /// One try to hand it to the service.
    static func deliver(_ item: OutboxItem, by account: Account) async -> Outbox.Delivery {
        guard let message = OutgoingMessage(item) else { return .refused(PagerProblem.storage.word) }
        do {
            let creation = MessageCreation(recipientId: message.recipientId, text: message.text, clientId: item.id)
            let receipt = try await account.authorized { api, token in
                try await api.call(PagerEndpoints.sendMessage, body: creation, token: token)
            }
            return .accepted(try WireJSON.encode(receipt))
        } catch {
            let problem = PagerProblem(error)
            return problem.isTemporary || error is CancellationError ? .notNow(problem.word) : .refused(problem.word)
        }
    }
}

extension PagerProblem {
    /// For an outbox, which keeps words.
    var word: String {
        switch self {
        case .network: "network"
        case .timeout: "timeout"
        case .notFriends: "notFriends"
        case .userNotFound: "userNotFound"
        case .messageTooLong: "messageTooLong"
        case .sessionExpired: "sessionExpired"
        case .tooManyAttempts: "tooManyAttempts"
        case .storage: "storage"
        case .service(let code): code
        default: "\(self)"
        }
    }

    init(word: String) {
        let known: [PagerProblem] = [
            .network, .timeout, .notFriends, .userNotFound, .messageTooLong, .sessionExpired, .tooManyAttempts, .storage,
        ]
        self = word == Outbox.expired ? .expired : known.first { $0.word == word } ?? .service(word)
    }
}
