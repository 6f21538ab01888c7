import Foundation
import PushTestKit
import TestKit
import WireKit

/// Users of a pager service who write to each other by its REST calls, and repeat each call until it is answered.
final class PagerCrowd: Sendable {
    struct Message: Sendable {
        var id: String
        var recipient: Int
        var text: String
    }

    struct Phone: Sendable {
        var user: Person
        /// The tokens that the phone had, the present one last.
        var deviceTokens: [String] = []
        var startTokens: [String] = []
    }

    struct Person: Decodable, Sendable {
        var userId: String
        var hexCode: String
        var token: String
    }

    private struct Reply<Value: Decodable>: Decodable { var data: Value }
    private struct Receipt: Decodable { var messageId: String }
    private struct Request: Decodable { var id: String }
    private struct Queue: Decodable {
        var waiting: Int
        var active: Int
    }
    private struct Nothing: Decodable { init(from decoder: any Decoder) {} }
    struct Refused: Error { var text: String }

    private struct State {
        var messages: [Message] = []
        var sent: [Int: Int] = [:]
        var repeats = 0
        var phones: [Phone] = []
    }

    /// Fewer than the service keeps for one recipient.
    private static let maximumWaiting = 40

    private let service: ServiceProcess
    private let apns: UnreliableAPNS
    private let senders: [Person]
    private let stranger: Person
    private let state = Locked(State())

    /// Recipients have a device token, a start token, or both, in turn.
    init(_ service: ServiceProcess, _ apns: UnreliableAPNS, senders: Int, recipients: Int) async throws {
        (self.service, self.apns) = (service, apns)
        stranger = try await Self.register("browser-stranger", at: service)
        var people: [Person] = []
        for number in 0..<senders { people.append(try await Self.register("browser-sender-\(number)", at: service)) }
        self.senders = people
        for number in 0..<recipients {
            let hasDeviceToken = number % 3 != 1
            let token = hasDeviceToken ? Self.token("de", number) : "browser-\(number)"
            var phone = Phone(user: try await Self.register(token, at: service))
            if hasDeviceToken { phone.deviceTokens = [token] }
            state.withLock { $0.phones.append(phone) }
            if number % 3 != 0 { try await renewStartToken(of: number) }
            for sender in people {
                let request: Request = try await Self.call(
                    service, "POST", "/api/friends/request", sender, #"{"toHexCode":"\#(phone.user.hexCode)"}"#)
                let _: Nothing = try await Self.call(
                    service, "POST", "/api/friends/requests/\(request.id)/accept", phone.user)
            }
        }
    }

    var messages: [Message] { state.withLock { $0.messages } }
    var answered: Int { state.withLock { $0.messages.count } }
    /// The number of messages that were sent again after they were answered.
    var repeats: Int { state.withLock { $0.repeats } }
    var phones: [Phone] { state.withLock { $0.phones } }

    /// The beginning of the texts of messages between two users; their number follows.
    static func lane(from sender: Int, to recipient: Int) -> String { "\(sender) to \(recipient): " }

    private static func token(_ kind: String, _ number: Int) -> String {
        kind + String(repeating: "0", count: 62 - "\(number)".count) + "\(number)"
    }

    // MARK: Calls

    private static func register(_ deviceToken: String, at service: ServiceProcess) async throws -> Person {
        try await call(service, "POST", "/api/users/register", nil, #"{"deviceToken":"\#(deviceToken)"}"#)
    }

    /// Makes a call again and again until the service lives and answers it.
    private static func call<Value: Decodable>(
        _ service: ServiceProcess, _ method: String, _ path: String, _ person: Person?, _ body: String = ""
    ) async throws -> Value {
        while true {
            do {
                let reply = try await HTTPProbe(port: service.port).send(
                    method, path, headers: person.map { ["Authorization": "Bearer \($0.token)"] } ?? [:],
                    body: method == "GET" ? nil : Data(body.utf8))
                guard reply.status < 300 else { throw Refused(text: reply.text) }
                return try JSONDecoder().decode(Reply<Value>.self, from: reply.body).data
            } catch let refused as Refused {
                throw refused
            } catch {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Sends messages to recipients at random.
    func send(_ count: Int, by number: Int) async throws {
        var random = SeededGenerator(seed: Seed.current, number: 100 + number)
        var next: [Int: Int] = [:]
        for _ in 0..<count {
            let recipient = Int.random(in: 0..<phones.count, using: &random)
            try await waitForRoom(recipient)
            let index = next[recipient, default: 0]
            next[recipient] = index + 1
            let text = Self.lane(from: number, to: recipient) + "\(index)"
            let receipt = try await send(text, to: recipient, by: senders[number], key: text)
            state.withLock { state in
                state.messages.append(Message(id: receipt, recipient: recipient, text: text))
                state.sent[recipient, default: 0] += 1
            }
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                let again = try await send(text, to: recipient, by: senders[number], key: text)
                guard again == receipt else { throw Refused(text: "\(again) is another receipt for \(receipt)") }
                state.withLock { $0.repeats += 1 }
            case 1: try await expectRefusal(text + String(repeating: "!", count: 500), to: recipient, by: senders[number])
            case 2: try await expectRefusal("a stranger's text", to: recipient, by: stranger)
            default: break
            }
        }
    }

    private func send(_ text: String, to recipient: Int, by person: Person, key: String) async throws -> String {
        let user = phones[recipient].user.userId
        let receipt: Receipt = try await Self.call(
            service, "POST", "/api/messages", person, #"{"recipientId":"\#(user)","text":"\#(text)","clientId":"\#(key)"}"#)
        return receipt.messageId
    }

    private func expectRefusal(_ text: String, to recipient: Int, by person: Person) async throws {
        do {
            _ = try await send(text, to: recipient, by: person, key: "refused")
        } catch is Refused {
            return
        }
        throw Refused(text: "accepted: \(text)")
    }

    /// The outbox of a recipient has a limit, which is not what this is about.
    private func waitForRoom(_ recipient: Int) async throws {
        try await eventually { [self] in
            let (phone, sent) = state.withLock { ($0.phones[recipient], $0.sent[recipient, default: 0]) }
            return sent - apns.acceptanceCount(of: phone.deviceTokens + phone.startTokens) < Self.maximumWaiting
        }
    }

    /// Waits until nothing is left to be sent.
    func finish() async throws {
        try await eventually { [service] in
            let queue: Queue = try await Self.call(service, "GET", "/api/queue/metrics", nil)
            return queue.waiting + queue.active == 0
        }
    }

    // MARK: Tokens

    /// Sends new start tokens for dead ones, some time after their death, until `count` messages are answered.
    func renewStartTokens(until count: Int) async throws {
        var random = SeededGenerator(seed: Seed.current, number: 3)
        while answered < count {
            let dead = apns.deadTokens
            for (number, phone) in phones.enumerated() where phone.startTokens.last.map(dead.contains) == true {
                if Int.random(in: 0..<10, using: &random) == 0 { try await renewStartToken(of: number) }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends a new start token, as the app does when the system gives it one. It lives for ever where the phone has no device token.
    private func renewStartToken(of number: Int) async throws {
        let (phone, token) = state.withLock { state in
            let phone = state.phones[number]
            return (phone, Self.token("5a", number * 1000 + phone.startTokens.count))
        }
        // Before the service knows it: it may be used at once.
        state.withLock { $0.phones[number].startTokens.append(token) }
        if !phone.deviceTokens.isEmpty { apns.setMortal(token) }
        let _: Nothing = try await Self.call(
            service, "PUT", "/api/users/live-activity-token", phone.user, #"{"liveActivityToken":"\#(token)"}"#)
    }
}
