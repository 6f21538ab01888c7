import Foundation
import NetworkingKit
import Pager2077Wire
import WireKit

/// What the outbox keeps of a message.
struct OutgoingMessage: Codable, Hashable, Sendable {
    var recipientId: User.ID
    var text: String

    /// One try to hand it to the service.
    static func deliver(_ item: OutboxItem, by account: Account) async -> Outbox<MessageReceipt>.Delivery {
        guard let message: OutgoingMessage = item.content() else { return .refused(PagerProblem.storage.word) }
        do {
            let creation = MessageCreation(recipientId: message.recipientId, text: message.text, clientId: item.id)
            return .accepted(
                try await account.authorized { try await $0.call(PagerEndpoints.sendMessage, body: creation, token: $1) })
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
        self = word == OutboxItem.expired ? .expired : known.first { $0.word == word } ?? .service(word)
    }
}
