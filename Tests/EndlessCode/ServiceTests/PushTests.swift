import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import HTTPTypes
import PushKit
import PushTestKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// Notifications: settings of phones, and what is sent while nobody looks.
@Suite struct PushTests {
    let test: TestServer
    let id: Session.ID
    let agent: ScriptedAgent

    init() async throws {
        test = try await TestServer(push: Self.services)
        (id, agent) = try await test.session()
    }

    static let services = PushServices(ntfy: NtfyConfiguration(address: URL(string: "https://ntfy.example.com")!))

    private func set(
        _ content: PushContent = .nothing, address: PushAddress = .ntfy(topic: "t"), language: String = "en",
        for phone: PushPhone.ID = "ada"
    ) async throws {
        let reply = try await test.server.parts.call(
            .put, EndlessCodeEndpoints.setPush.path(["id": phone.rawValue]), token: test.token,
            body: WireJSON.encode(PushSettings(address: address, content: content, language: language)))
        #expect(reply.status == 200, "\(reply.text)")
    }

    private func entries(_ state: PushState) async throws -> [PushEntry] {
        try await test.server.pushes.outbox.entries(state, limit: 100).reversed()
    }

    /// The waiting notifications as they would be sent now.
    private func waiting() async throws -> [PushStandIn.Sent] {
        let entries = try await entries(.waiting)
        let (time, directory) = (test.now, PhoneDirectory<PushPhones>(services: Self.services))
        return try await test.store.write { transaction in
            try entries.compactMap { entry in
                try directory.targets(of: entry, at: time, in: transaction).first?.routes.first.map { PushStandIn.Sent($0) }
            }
        }
    }

    private func ask() async throws -> PromptRequest {
        agent.send(.prompt(.permission))
        return try #require(try await test.prompts(1).first)
    }

    private func turn(_ result: AgentResult) async throws {
        try await test.prompt("hi", to: id)
        agent.send(.result(result))
        try await eventually { try await test.sessions.session(id).activity == .idle }
    }

    private static let success = AgentResult(isError: false, reason: "success", text: "All done.", duration: .seconds(2))

    // MARK: Settings

    @Test func nobodyIsNotifiedWhoHasNotAsked() async throws {
        _ = try await ask()
        #expect(try await entries(.waiting) == [])
        try await set()
        try await test.server.pushes.remove("ada")
        agent.send(.promptWithdrawn("a"))
        try await turn(Self.success)
        #expect(try await entries(.waiting) == [])
    }

    @Test func theOfferNamesTheConfiguredServices() async throws {
        let offers = [
            try await test.call(EndlessCodeEndpoints.push).value(PushOffer.self),
            try await test.call(EndlessCodeEndpoints.push).value(PushOffer.self),
        ]
        #expect(offers[0].webPushKey == nil && offers[0].ntfy?.server == "https://ntfy.example.com")
        #expect(offers.allSatisfy { NtfyRoute.isTopic($0.ntfy?.topic ?? "") } && offers[0].ntfy?.topic != offers[1].ntfy?.topic)
        let bare = try await TestServer()
        #expect(try await bare.call(EndlessCodeEndpoints.push).text == #"{"ntfy":null,"webPushKey":null}"#)
        #expect(try await bare.server.parts.call(.get, "/api/v1/push").status == 401)
    }

    @Test(arguments: [
        "", "{}", #"{"address":{"ntfy":{"topic":"a/b"}},"content":"none","language":"en"}"#,
        #"{"address":{"ntfy":{"topic":"t"}},"content":"all","language":"en"}"#,
        #"{"address":{"ntfy":{"topic":"t"}},"content":"none","language":"e"}"#,
        #"{"address":{"apns":{"token":"xyz"}},"content":"none","language":"en"}"#,
        #"{"address":{"webPush":{"endpoint":"https://127.0.0.1/","keys":{"p256dh":"","auth":""}}},"content":"none","language":"en"}"#,
        #"{"address":1,"content":"none","language":"en"}"#,
    ])
    func wrongSettingsAreRefused(_ body: String) async throws {
        let reply = try await test.server.parts.call(
            .put, "/api/v1/phones/ada/push", token: test.token, body: Data(body.utf8))
        #expect(reply.status == 400 && reply.text.contains("INVALID_MESSAGE"))
        #expect(try await test.store.read { try $0.pushPhones() } == [])
    }

    @Test func settingsNeedTheTokenAndAnIdentifier() async throws {
        let body = try WireJSON.encode(PushSettings(address: .ntfy(topic: "t"), content: PushContent.nothing, language: "en"))
        #expect(try await test.server.parts.call(.put, "/api/v1/phones/ada/push", body: body).status == 401)
        #expect(try await test.server.parts.call(.delete, "/api/v1/phones/ada/push").status == 401)
        #expect(try await test.server.parts.call(.put, "/api/v1/phones/a%20b/push", token: test.token, body: body).status == 400)
        for _ in 1...2 {
            let reply = try await test.server.parts.call(.delete, "/api/v1/phones/ada/push", token: test.token)
            #expect(reply.status == 200 && reply.text == #"{"status":"off"}"#)
        }
    }

    @Test func anAddressBelongsToTheLastPhoneOfAtMostTwenty() async throws {
        try await set(for: "ada")
        test.advance(.seconds(1))
        try await set(for: "bob")
        #expect(try await test.store.read { try $0.pushPhones() } == ["bob"])
        for number in 1...20 {
            test.advance(.seconds(1))
            try await set(address: .ntfy(topic: "t\(number)"), for: PushPhone.ID("phone\(number)"))
        }
        let phones = try await test.store.read { try $0.pushPhones() }
        #expect(phones.count == 20 && !phones.contains("bob"))
    }

    @Test func aNewTokenEndsTheSettings() async throws {
        try await set()
        let folder = try test.killed()
        // While no server runs.
        _ = try AccessTokens.renew(folder: folder.url)
        let next = try await TestServer(folder: folder, push: Self.services)
        #expect(try await next.store.read { try $0.pushPhones() } == [])
    }

    @Test func settingsOutliveARestart() async throws {
        try await set(.full, language: "ko")
        let next = try await TestServer(folder: test.killed(), push: Self.services)
        let record = try #require(try await next.store.read { try PushPhones.record(of: "ada", in: $0) })
        #expect(
            record.settings.content == .full && record.settings.language == "ko" && record.settings.address == .ntfy(topic: "t"))
    }

    // MARK: Words

    @Test func withoutContentNothingOfTheWorkIsTold() async throws {
        try await set()
        try await test.prompt("hi", to: id)
        _ = try await ask()
        var sent = try #require(try await waiting().first)
        #expect(sent.title == "EndlessCode" && sent.body == "The agent asks for permission" && sent.isUrgent)
        try await set(language: "ko-KR")
        sent = try #require(try await waiting().first)
        #expect(sent.body == "에이전트가 허가를 요청합니다")
    }

    @Test func withContentTheProjectAndTheQuestionAreTold() async throws {
        try await set(.full, address: .apns(token: "ab"))
        _ = try await ask()
        #expect(
            try await waiting().map { [$0.title, $0.body, $0.id] } == [
                ["tmp", "The agent asks for permission: Use Bash?", NoticeID.session(id)]
            ])
        agent.send(.promptWithdrawn("a"))
        agent.send(
            .prompt(AgentPrompt(id: "b", kind: .questions([AgentQuestion(question: String(repeating: "long ", count: 200))]))))
        try await eventually { try await waiting().last?.body.hasPrefix("The agent has a question: long") == true }
        #expect(try await waiting().last?.body.hasSuffix("…") == true)
    }

    @Test(arguments: [
        (AgentResult(isError: false, reason: "success", text: "All done.", duration: .zero), "The agent has finished: All done."),
        (AgentResult(isError: true, reason: "error_max_turns", duration: .zero), "The agent has stopped with an error"),
        (AgentResult(isError: false, reason: AgentResult.interrupted, duration: .zero), nil),
    ])
    func theEndOfATurnIsTold(_ result: AgentResult, _ words: String?) async throws {
        try await set(.full)
        try await turn(result)
        #expect(try await waiting().first?.body == words)
    }

    @Test func aCrashDuringATurnIsTold() async throws {
        try await set()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        agent.exit(.crash)
        try await eventually { try await waiting().map(\.body) == ["The agent has stopped with an error"] }
    }

    // MARK: Present phones

    @Test func aNotificationWaitsForTheEndOfPresence() async throws {
        try await set()
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                try await phone.send(.presence(isActive: true))
                try await eventually { test.server.pushes.foreground.end(of: .owner) != nil }
                // The computer's clock is set back by an hour: the presence does not grow.
                test.setClock(by: .seconds(-3600))
                _ = try await ask()
                // The presence of 45 s, and the time in which a phone may come back.
                #expect(try await entries(.waiting).map(\.dueAt) == [test.now + .seconds(50)])
                try await phone.send(.presence(isActive: true))
                try await eventually { try await entries(.withdrawn).count == 1 }
                // 45 s without a report.
                test.advance(.seconds(45))
                agent.send(.promptWithdrawn("a"))
                try await turn(Self.success)
                #expect(try await entries(.waiting).map(\.dueAt) == [test.now + .seconds(5)])
            }
        }
    }

    @Test func aPhoneThatComesWithdrawsWhatWaits() async throws {
        try await set(for: "ada")
        try await set(address: .ntfy(topic: "u"), for: "bob")
        _ = try await ask()
        #expect(try await entries(.waiting).count == 2)
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                // A socket alone is nobody.
                #expect(try await entries(.waiting).count == 2)
                try await phone.send(.presence(isActive: true))
                try await eventually { try await entries(.withdrawn).count == 2 }
            }
        }
        #expect(try await entries(.waiting) == [])
    }

    @Test func anAnswerWithdrawsItsNotification() async throws {
        try await set()
        let prompt = try await ask()
        #expect(try await entries(.waiting).count == 1)
        try await test.sessions.answer(
            PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: ["Deny"]), from: "1", named: nil)
        #expect(try await entries(.waiting) == [])
        #expect(try await entries(.withdrawn).count == 1)
    }

    @Test func aNewPromptOrAPauseWithdrawsTheEndOfTheTurn() async throws {
        try await set()
        try await turn(Self.success)
        #expect(try await entries(.waiting).count == 1)
        try await test.prompt("more", to: id)
        #expect(try await entries(.waiting) == [])
        agent.send(.result(Self.success))
        try await eventually { try await entries(.waiting).count == 1 }
        _ = try await test.sessions.pause(id)
        #expect(try await entries(.waiting) == [])
    }

    @Test func aSessionHasOneNotification() async throws {
        try await set(.full)
        _ = try await ask()
        agent.send(.promptWithdrawn("a"))
        try await turn(Self.success)
        #expect(try await waiting().map(\.body) == ["The agent has finished: All done."])
        let (other, second) = try await test.session()
        try await test.prompt("hi", to: other)
        second.send(.result(Self.success))
        try await eventually { try await entries(.waiting).count == 2 }
    }

    // MARK: Sending

    /// Through the outbox to a push service, with its replies.
    @Test func aDeadAddressIsForgottenAndAnEnvironmentLearned() async throws {
        let apns = PushStandIn(.apns)
        let test = try await TestServer(push: Self.services, senders: [apns])
        let (id, agent) = try await test.session()
        let settings = PushSettings(address: .apns(token: "AB"), content: PushContent.nothing, language: "en")
        try await test.server.pushes.set(settings, for: "ada")
        @Sendable func turn() async throws {
            try await test.prompt("hi", to: id)
            agent.send(.result(Self.success))
            try await eventually { try await test.server.pushes.outbox.counts()[.waiting] == 1 }
            test.advance(SessionPushes.delay)
            // Wakes the delivery, which sleeps by the machine's clock.
            try await test.server.pushes.remove("nobody")
        }
        try await test.run { _ async throws in
            let route = PushRoute.ntfy(NtfyRoute(topic: "", message: NtfyMessage(title: "", text: "")))
            apns.set(.accepted(PushReceipt(route: route, environment: .production)))
            try await turn()
            try await eventually { try await test.server.pushes.outbox.counts()[.completed] == 1 }
            #expect(apns.sent.map(\.address) == ["ab"] && apns.sent.map(\.body) == ["The agent has finished"])
            #expect(try await test.store.read { try PushPhones.record(of: "ada", in: $0) }?.environment == .production)
            apns.set(.dead("Unregistered"))
            try await turn()
            try await eventually { try await test.store.read { try PushPhones.record(of: "ada", in: $0) } == nil }
        }
    }
}
