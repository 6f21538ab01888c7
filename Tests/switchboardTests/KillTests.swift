import Foundation
import TestKit
import Testing

/// The line survives kills of the service: every accepted message exists once.
@Suite struct KillTests {
    private struct Person: Decodable, Sendable {
        var userId: String
        var hexCode: String
        var token: String
    }

    private struct Reply<Value: Decodable>: Decodable { var data: Value }
    private struct Receipt: Decodable, Hashable { var messageId: String }
    private struct Request: Decodable { var id: String }
    private struct History: Decodable {
        struct Message: Decodable {
            var id: String
            var text: String
        }
        var messages: [Message]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private actor Counter {
        private var answered = 0
        /// Counts another answered message.
        func increase() { answered += 1 }
        func reaches(_ count: Int) async throws {
            while answered < count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func call<Value: Decodable>(
        _ port: Int, _ method: String, _ path: String, token: String? = nil, body: String = ""
    ) async throws -> Value {
        let reply = try await HTTPProbe(port: port).send(
            method, path, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
            body: method == "GET" ? nil : Data(body.utf8))
        guard reply.status < 300 else { throw Refused(text: reply.text) }
        return try JSONDecoder().decode(Reply<Value>.self, from: reply.body).data
    }

    private struct Refused: Error { var text: String }

    // A reader sees at most the retention of its log.
    private static let each = Effort.count(100, soak: 950)
    private static let kills = Effort.count(5, soak: 20)

    /// 1,000 messages of ten senders; the service is killed five times; each sender retries until it is answered.
    @Test func killsDuringAThousandMessagesLoseAndRepeatNone() async throws {
        let service = try await ServiceProcess(["pager2077", "--data", folder.file("data")])
        let answered = Counter()
        let port = await service.port
        let reader: Person = try await call(port, "POST", "/api/users/register", body: #"{"deviceToken":"reader"}"#)
        var senders: [Person] = []
        for number in 0..<10 {
            let sender: Person = try await call(port, "POST", "/api/users/register", body: #"{"deviceToken":"sender-\#(number)"}"#)
            let request: Request = try await call(
                port, "POST", "/api/friends/request", token: sender.token, body: #"{"toHexCode":"\#(reader.hexCode)"}"#)
            let _: [String: JSONIgnored] = try await call(
                port, "POST", "/api/friends/requests/\(request.id)/accept", token: reader.token)
            senders.append(sender)
        }

        let receipts = try await within(.seconds(600)) { [senders] in
            try await withThrowingTaskGroup(of: [String: String].self) { group in
                for (number, sender) in senders.enumerated() {
                    group.addTask {
                        var receipts: [String: String] = [:]
                        for index in 0..<Self.each {
                            let text = "\(number)-\(index)"
                            let body = #"{"recipientId":"\#(reader.userId)","text":"\#(text)","clientId":"\#(text)"}"#
                            // Retries until it is answered.
                            while receipts[text] == nil {
                                do {
                                    let receipt: Receipt = try await call(
                                        service.port, "POST", "/api/messages", token: sender.token, body: body)
                                    receipts[text] = receipt.messageId
                                } catch let refused as Refused {
                                    throw refused
                                } catch {
                                    try await Task.sleep(for: .milliseconds(10))
                                }
                            }
                            await answered.increase()
                        }
                        return receipts
                    }
                }
                for kill in 1...Self.kills {
                    try await answered.reaches(kill * Self.each * 10 / (Self.kills + 2))
                    try await service.restart()
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
        }

        #expect(receipts.count == Self.each * 10)
        #expect(Set(receipts.values).count == Self.each * 10)
        for (number, sender) in senders.enumerated() {
            let history: History = try await call(
                service.port, "GET", "/api/messages/\(sender.userId)?limit=100", token: reader.token)
            // Each once, in the order of sending, with the identifier of its receipt.
            #expect(history.messages.map(\.text) == (Self.each - 100..<Self.each).map { "\(number)-\($0)" })
            #expect(history.messages.allSatisfy { receipts[$0.text] == $0.id })
        }

        // The reader's event log agrees: 10 requests, then every message, without gaps, those of each sender in order.
        let seen = try await WebSocketProbe.open(
            port: service.port, "/api/live?after=0", headers: ["Authorization": "Bearer \(reader.token)"]
        ) { socket async throws in
            _ = try await socket.receive()
            var seen: [String] = []
            for seq in 1...Self.each * 10 + 10 {
                let text = try await socket.receive().text
                #expect(text.contains("\"seq\":\(seq),"))
                if let match = text.firstMatch(of: /"text":"([^"]+)"/) { seen.append(String(match.1)) }
            }
            return seen
        }
        #expect(seen.count == Self.each * 10)
        for number in 0..<10 {
            #expect(seen.filter { $0.hasPrefix("\(number)-") } == (0..<Self.each).map { "\(number)-\($0)" })
        }
        #expect(try await service.end() == 0)
    }

    private struct JSONIgnored: Decodable { init(from decoder: any Decoder) {} }
}
