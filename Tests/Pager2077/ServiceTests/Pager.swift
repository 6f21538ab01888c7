import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Pager2077Wire
import PushKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// A whole pager service on a real database, called in process through its real routes.
final class Pager: Sendable {
    let folder: TemporaryFolder
    let store: Database
    let parts: ServiceParts
    let metrics = MetricsRegistry()
    private let clock = Locked(Timestamp("2026-11-20T12:00:00.000Z")!)
    /// The time since the start of the test, on the same clock.
    private let elapsed = Locked(Duration.zero)
    let directory: PagerDirectory

    init(
        registrationsPerMinute: Int = 1_000_000, unknownHexCodesPerMinute: Int = 1_000_000,
        unknownHexCodesPerHour: Int = 100_000, senders: [any PushSender]? = nil,
        webPush: WebPushConfiguration? = nil, ntfy: NtfyConfiguration? = nil, pathPrefix: String = "",
        retention: Retention = Retention(), contact: String? = nil, drawHexCode: (@Sendable () -> HexCode)? = nil
    ) async throws {
        folder = try TemporaryFolder()
        store = try TestDatabase.open(folder.file("pager.db"), migrations: PagerMigrations.all)
        var configuration = PagerConfiguration(
            database: .file(folder.url), secret: try SigningSecret(String(repeating: "s", count: 40), source: "test"))
        configuration.registrationsPerMinute = registrationsPerMinute
        configuration.unknownHexCodesPerMinute = unknownHexCodesPerMinute
        configuration.unknownHexCodesPerHour = unknownHexCodesPerHour
        configuration.push = PushServices(webPush: webPush, ntfy: ntfy)
        configuration.pathPrefix = pathPrefix
        configuration.retention = retention
        configuration.contact = contact
        directory = PagerDirectory(services: configuration.push, pathPrefix: pathPrefix)
        let start = ContinuousClock.now
        parts = try await PagerService.build(
            configuration, store: store, senders: senders, metrics: metrics, logger: .quiet,
            now: { [clock] in clock.withLock { $0 } },
            uptime: { [elapsed] in start + elapsed.withLock { $0 } },
            drawHexCode: drawHexCode ?? { HexCode(.random(in: .min ... .max)) })
    }

    /// Another outbox on the same database.
    var pushes: PagerPushes {
        PagerPushes(
            outbox: PushOutbox(
                database: store, directory: directory, system: "test", metrics: MetricsRegistry(),
                now: { [clock] in clock.withLock { $0 } }), foreground: ForegroundClients())
    }

    var now: Timestamp { clock.withLock { $0 } }
    func advance(_ duration: Duration) {
        elapsed.withLock { $0 += duration }
        clock.withLock { $0 = $0 + duration }
    }

    // MARK: Calls

    typealias Reply = ServiceReply

    func call(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:], body: Data? = nil
    ) async throws -> Reply {
        try await parts.call(method, path, token: token, headers: headers, body: body ?? Data())
    }

    func call<Body: Encodable, Value>(
        _ endpoint: Endpoint<Body, Value>, _ body: Body, by caller: Person? = nil, _ parameters: [String: String] = [:]
    ) async throws -> Reply {
        try await parts.call(endpoint, body, parameters, token: caller?.token)
    }

    func call<Value>(
        _ endpoint: Endpoint<NoBody, Value>, by caller: Person? = nil, _ parameters: [String: String] = [:], query: String = ""
    ) async throws -> Reply {
        try await parts.call(endpoint, parameters, query: query, token: caller?.token)
    }

    // MARK: People

    struct Person: Sendable {
        var id: User.ID
        var hexCode: HexCode
        var token: String
    }

    /// Registers a user, by default with a token of APNs' form.
    func person(_ deviceToken: String = UUID().uuidString) async throws -> Person {
        let registered = try await call(PagerEndpoints.register, Registration(deviceToken: deviceToken)).data(Registered.self)
        return Person(id: registered.userId, hexCode: registered.hexCode, token: registered.token)
    }

    /// Two people who are friends.
    func friends() async throws -> (Person, Person) {
        let a = try await person()
        let b = try await person()
        try await befriend(a, b)
        return (a, b)
    }

    func befriend(_ a: Person, _ b: Person) async throws {
        let request = try await call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: b.hexCode.rawValue), by: a)
            .data(FriendRequest.self)
        let accepted = try await call(PagerEndpoints.acceptRequest, by: b, ["requestId": request.id.rawValue])
        #expect(accepted.status == 200)
    }

    @discardableResult
    func send(_ text: String, from sender: Person, to recipient: Person, clientId: String? = nil) async throws -> Reply {
        try await call(
            PagerEndpoints.sendMessage, MessageCreation(recipientId: recipient.id, text: text, clientId: clientId), by: sender)
    }

    func history(of reader: Person, with friend: Person, query: String = "") async throws -> [Message] {
        try await call(PagerEndpoints.history, by: reader, ["friendId": friend.id.rawValue], query: query)
            .data(MessageHistory.self).messages
    }

    /// All live events of a user so far, but those about deleted accounts, which say nothing.
    func events(of person: Person) async throws -> [LiveEvent] {
        let events = try await store.read { try $0.events(of: person.id.log, after: 0, count: 1000) }
        return try events.filter { $0.payload != Data(#"{"type":"erased"}"#.utf8) }.map {
            try WireJSON.decode(LiveEvent.self, from: $0.payload)
        }
    }

    func notifications() async throws -> [(recipient: User.ID, notification: PagerNotification)] {
        try await store.read { transaction in
            try transaction.all("SELECT * FROM pushes WHERE state = 'waiting' ORDER BY id", as: PushEntry.self).map {
                (User.ID($0.recipient), try WireJSON.decode(PagerNotification.self, from: $0.content))
            }
        }
    }
}

extension ServiceReply {
    /// The `data` of a success.
    func data<Value: Decodable & Sendable>(_: Value.Type = Value.self) throws -> Value { try value(Success<Value>.self).data }

    var failure: Failure.Reason? { try? value(Failure.self).error }
}

func expect(
    _ reply: Pager.Reply, _ status: Int, _ code: ErrorCode, _ message: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
    #expect(reply.failure?.code == code.rawValue, "\(reply.text)", sourceLocation: sourceLocation)
    if let message { #expect(reply.failure?.message == message, sourceLocation: sourceLocation) }
}
