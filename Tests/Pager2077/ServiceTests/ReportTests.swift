import Foundation
import HTTPTypes
import Pager2077Wire
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Reports of users to the operator, and what the operator does about them.
@Suite struct ReportTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        (ada, bob) = try await pager.friends()
    }

    private func report(
        _ reason: ReportReason = .harassment, message: Message.ID? = nil, blocks: Bool = false, of person: Pager.Person? = nil,
        by reporter: Pager.Person? = nil
    ) async throws -> Pager.Reply {
        try await pager.call(
            PagerEndpoints.report,
            ReportCreation(userId: (person ?? bob).id, messageId: message, reason: reason, blocks: blocks), by: reporter ?? ada)
    }

    private func reports() async throws -> [ReportSummary] { try await pager.store.read { try $0.reports() } }

    private func page(_ text: String) async throws -> Message.ID {
        try await pager.send(text, from: bob, to: ada).data(MessageReceipt.self).messageId
    }

    @Test func operatorSeesTheReportedPageAndNotTheReporter() async throws {
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "Bob"), by: bob)
        let message = try await page("mean words")
        let events = try await pager.events(of: bob)
        #expect(try await report(.threat, message: message).status == 200)
        let summary = try #require(try await reports().first)
        #expect(
            summary
                == ReportSummary(
                    id: summary.id, at: pager.now, reasons: [.threat], hexCode: bob.hexCode, name: "Bob", text: "mean words"))
        #expect(!"\(summary)".contains(ada.id.rawValue) && !"\(summary)".contains(ada.hexCode.rawValue))
        // The reported user learns nothing.
        #expect(try await pager.events(of: bob) == events)
    }

    @Test func reportsOfTheSameAreOneEntry() async throws {
        let cat = try await pager.person()
        let message = try await page("mean words")
        for reason in [ReportReason.spam, .harassment] { _ = try await report(reason) }
        _ = try await report(.threat, by: cat)
        _ = try await report(.threat, message: message)
        let found = try await reports()
        #expect(found.map(\.reasons) == [[.threat], [.threat, .harassment]], "a second report takes the place of the first")
        #expect(found.map(\.text) == ["mean words", nil])
    }

    @Test func reportCanBlockInTheSameStep() async throws {
        #expect(try await report(blocks: true).status == 200)
        #expect(try await pager.friendList(of: ada).isEmpty)
        #expect(try await pager.events(of: ada).last == .block(userId: bob.id, isBlocked: true))
        // Also a second time.
        #expect(try await report(blocks: true).status == 200)
    }

    @Test func reportedPageMustBeTheReportersOwn() async throws {
        let cat = try await pager.person()
        let message = try await page("for ada alone")
        expect(try await report(message: message, by: cat), 404, .notFound, "Message not found")
        let own = try await pager.send("from ada", from: ada, to: bob).data(MessageReceipt.self).messageId
        expect(try await report(message: own), 404, .notFound)
        expect(try await report(message: Message.ID("x")), 404, .notFound)
        expect(try await report(of: ada), 400, .invalidInput, "Cannot report yourself")
        #expect(try await reports().isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, "User ID is required"), (#"{"userId":7,"reason":"spam"}"#, "User ID is required"),
        (#"{"userId":"x"}"#, "Reason must be one of: spam, harassment, threat, sexual, impersonation, other"),
        (#"{"userId":"x","reason":"boring"}"#, "Reason must be one of: spam, harassment, threat, sexual, impersonation, other"),
        (#"{"userId":"x","reason":"spam","blocks":"yes"}"#, "blocks must be a boolean"),
        (#"{"userId":"x","reason":"spam","messageId":7}"#, "messageId must be a string"),
    ])
    func malformedReportsAreRefused(body: String, message: String) async throws {
        expect(
            try await pager.call(.post, "/api/reports", token: ada.token, body: Data(body.utf8)), 400, .invalidInput, message)
    }

    @Test func reportsOfUnknownUsersAreRefused() async throws {
        let body = Data(#"{"userId":"\#(String(repeating: "0", count: 32))","reason":"spam"}"#.utf8)
        expect(try await pager.call(.post, "/api/reports", token: ada.token, body: body), 404, .userNotFound)
        expect(try await pager.call(.post, "/api/reports", body: body), 401, .unauthorized)
    }

    @Test func reportsAreLimited() async throws {
        for _ in 0..<PagerRoutes.userReportsPerHour { #expect(try await report().status == 200) }
        let refused = try await report()
        expect(refused, 429, .rateLimited)
        #expect(refused.headers[.retryAfter] != nil)
        #expect(try await report(of: ada, by: bob).status == 200, "each user has the limit alone")
        pager.advance(.seconds(3600))
        #expect(try await report().status == 200)
    }

    @Test func reportsAreBounded() async throws {
        let (reporter, reported) = (ada, bob)
        try await pager.store.write { [now = pager.now] transaction in
            let user = try transaction.caller(reported.id)
            for number in 0..<ReportRecords.maximumCount.perReporter + 5 {
                let message = Message.ID(String(repeating: "0", count: 29) + "\(number + 100)")
                try transaction.store(
                    ReportCreation(userId: user.id, messageId: message, reason: .spam), by: reporter.id, of: user,
                    ("\(number)", now),
                    at: now)
            }
        }
        let kept = try await reports()
        #expect(kept.count == ReportRecords.maximumCount.perReporter)
        #expect(kept.last?.text == "5", "the oldest go first")
        pager.advance(ReportRecords.age + .seconds(1))
        try await pager.store.write { [now = pager.now] in try $0.removeOldReports(at: now) }
        #expect(try await reports().isEmpty)
    }

    @Test func reportOfADeletedAccountSaysSoAndNothingElse() async throws {
        _ = try await report(.spam, message: try await page("mean words"))
        _ = try await report(.other, of: ada, by: bob)
        try await pager.deleteAccount(of: bob)
        let found = try await reports()
        #expect(found.map(\.hexCode) == [ada.hexCode, nil] && found.map(\.text) == [nil, nil])
        #expect(found.map(\.reasons) == [[.other], [.spam]])
    }

    @Test func addressOfTheOperatorIsForEverybody() async throws {
        #expect(try await pager.call(PagerEndpoints.serviceOperator).data() == ServiceOperator(contact: nil))
        let other = try await Pager(contact: "mailto:pager@example.com")
        #expect(try await other.call(PagerEndpoints.serviceOperator).data() == ServiceOperator(contact: "mailto:pager@example.com"))
    }

    // MARK: Orders

    @Test func operatorClosesReportsAndDeletesAccountsWhileTheServiceRuns() async throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appending(path: "pager.db")
        let store = try Database(path: database.path, migrations: PagerMigrations.all)
        let service = PagerOperator(database: .file(database))
        let now = Timestamp("2026-11-20T12:00:00.000Z")!
        let users = (1...2).map { number in
            UserRecord(
                id: .random(), hexCode: HexCode(UInt32(number)), deviceToken: "\(number)", lastSeen: now, createdAt: now,
                updatedAt: now)
        }
        try await store.write { transaction in
            for user in users { try transaction.insert(user) }
            for message in ["a", "b"] {
                try transaction.store(
                    ReportCreation(userId: users[1].id, messageId: Message.ID(message), reason: .spam), by: users[0].id,
                    of: users[1],
                    (message, now), at: now)
            }
        }
        let found = try await service.reports()
        #expect(found.map(\.text) == ["b", "a"])
        let orders = OperatorOrders(database: .file(database), store: store, now: { now }, logger: .quiet)
        #expect(try await service.carryOut(.closeReport(found[0].id)) == .left)
        try await orders.carryOut { _ in Issue.record("no account was deleted") }
        #expect(try await service.reports().map(\.text) == ["a"])
        #expect(try await service.carryOut(.deleteAccount(HexCode(2))) == .left)
        var deleted: [User.ID] = []
        try await orders.carryOut { deleted.append($0) }
        #expect(deleted == [users[1].id])
        #expect(try await service.reports().isEmpty, "the report is closed with its account")
        // Once only.
        try await orders.carryOut { _ in Issue.record("carried out twice") }
        // A file that is no order does not stop the others.
        let waiting = folder.url.appending(path: "pager.db.orders")
        try "{".write(to: waiting.appending(path: "0.json"), atomically: true, encoding: .utf8)
        #expect(try await service.carryOut(.deleteAccount(HexCode(1))) == .left)
        try await orders.carryOut { deleted.append($0) }
        #expect(deleted == [users[1].id, users[0].id])
        #expect(try FileManager.default.contentsOfDirectory(atPath: waiting.path) == [])
        store.close()
    }

    @Test func operatorActsAtOnceWhileTheServiceIsStopped() async throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appending(path: "pager.db")
        try Database(path: database.path, migrations: PagerMigrations.all).close()
        let service = PagerOperator(database: .file(database))
        #expect(try await service.reports().isEmpty)
        #expect(try await service.carryOut(.closeReport(1)) == .notFound)
        #expect(try await service.carryOut(.deleteAccount(HexCode(1))) == .notFound)
    }
}
