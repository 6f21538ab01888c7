import Foundation
import NetworkingKit
package import PlatformKit
import SimBridgeWire
import WireKit

extension Bridge {
    /// Returns the remote control of a demonstration: an invented host with two SIM cards, and a person who answers.
    ///
    /// - Parameter phone: See `Phone.demonstration()`.
    package static func demonstration(on phone: Phone, words: DemonstrationWords) -> Bridge {
        phone.instances.instance {
            let script = BridgeScript(words, clock: phone.clock)
            let service = script.service.remote
            var phone = phone
            phone.keychain = MemoryKeychain(["token": Data("demonstration".utf8)])
            let bridge = Bridge(
                phone: phone,
                relays: Relays(preset: service.address.absoluteString, deviceName: "") { _ in service })
            let host = PairedHost(id: BridgeScript.host, name: words.host)
            bridge.saved.serverURL = service.address.absoluteString
            bridge.saved.username = "demo"
            bridge.saved.deviceID = BridgeScript.client
            bridge.saved.deviceName = "demo"
            bridge.saved.hosts = [host]
            bridge.saved.pairedHost = host
            return bridge
        }
    }
}

/// The relay and the host of a demonstration, as far as the app calls them.
private actor BridgeScript {
    static let host: Device.ID = 1
    static let client: Device.ID = 2
    /// A number that is reserved for films and books.
    private static let person = "+12025550123"
    private static let (shop, caller) = ("+12025550188", "+12025550170")

    private let words: DemonstrationWords
    private let clock: any Clock<Duration>
    private let reactions = ScriptedReactions()
    /// The history, newest first.
    private var history: [HistoryItem] = []
    private var answerCount = 0
    private var seq: Int64 = 0
    /// The call that is under way.
    private var call: (id: RequestID, sim: Int, number: String)?
    private var write: (@Sendable (String) -> Void)?

    init(_ words: DemonstrationWords, clock: any Clock<Duration>) {
        (self.words, self.clock) = (words, clock)
        var items: [HistoryItem] = []
        func add(_ content: DeviceMessage.Content, minutesAgo: Int, reqId: RequestID? = nil) {
            items.insert(Self.item(content, Int64(items.count + 1), ago: .seconds(60 * minutesAgo), reqId), at: 0)
        }
        add(.event(.incomingCall(sim: 1, from: Self.caller)), minutesAgo: 60 * 26)
        add(.event(.callState(.ended, sim: 1, from: Self.caller, reason: nil)), minutesAgo: 60 * 26 - 1)
        add(.event(.incomingText(sim: 2, from: Self.shop, body: words.code)), minutesAgo: 60 * 5)
        for (index, text) in words.texts.enumerated() {
            let minutes = 40 - index * 2
            if index % 2 == 0 {
                add(.event(.incomingText(sim: 1, from: Self.person, body: text)), minutesAgo: minutes)
            } else {
                let id = RequestID("demonstration-\(index)")
                add(.command(.sendText(sim: 1, to: Self.person, body: text)), minutesAgo: minutes, reqId: id)
                add(.event(.textSent(.ok, reason: nil)), minutesAgo: minutes, reqId: id)
            }
        }
        history = items
    }

    private static func item(
        _ content: DeviceMessage.Content, _ id: Int64, ago: Duration = .zero, _ reqId: RequestID? = nil
    ) -> HistoryItem {
        let isCommand = if case .command = content { true } else { false }
        return HistoryItem(
            id: HistoryItem.ID(id), fromDeviceId: isCommand ? client : host, toDeviceId: isCommand ? host : client,
            msgType: isCommand ? .command : .event, payload: DeviceMessage(content, reqId: reqId).asJSON,
            createdAt: RelayTime(Timestamp.now - ago), state: .confirmed)
    }

    // MARK: Calls

    nonisolated var service: ScriptedService {
        typealias E = SimBridgeEndpoints
        func on<Body, Value: Encodable>(
            _ endpoint: Endpoint<Body, Value>, _ answer: @escaping @Sendable (ScriptedService.Call) async throws -> Value
        ) -> ScriptedService.Route {
            .init(endpoint) { try .json(try await answer($0)) }
        }
        return ScriptedService(
            [
                on(E.devices) { _ in await self.devices },
                on(E.pairings) { _ in [Pairing(id: 1, hostDeviceId: Self.host, clientDeviceId: Self.client)] },
                on(E.sims) { _ in
                    await self.reportSIMs()
                    return CommandReceipt(status: .sent, reqId: .random())
                },
                on(E.push) { _ in RelayPushOffer(PushOffer(webPushKey: nil)) },
                on(E.removePush) { _ in PushReply(isOn: false) },
                on(E.sendText) { await self.send(try $0.body(of: E.sendText)) },
                on(E.call) { await self.place(try $0.body(of: E.call)) },
                on(E.history) { _ in await self.page },
            ], refusal: (try? .json(DetailReply(words.refusal), status: 400)) ?? .events(Data()),
            serve: { await self.serve($0) })
    }

    private var devices: [Device] {
        [
            Device(id: Self.host, name: words.host, type: .host, isOnline: true, lastSeen: RelayTime(.now)),
            Device(id: Self.client, name: "", type: .client, isOnline: true, lastSeen: RelayTime(.now)),
        ]
    }

    /// The whole history as one page.
    private var page: HistoryPage {
        HistoryPage(items: history, total: history.count, offset: 0, limit: HistoryPage.defaultLimit)
    }

    private func send(_ text: TextCommand) -> CommandReceipt {
        let id = text.reqId ?? .random()
        record(.command(.sendText(sim: text.sim, to: text.to, body: text.body)), id)
        reactions.add {
            guard await self.pause(.seconds(1)) else { return }
            await self.report(.textSent(.ok, reason: nil), id)
            guard await self.pause(.seconds(3)) else { return }
            await self.answer(text.to, text.sim)
        }
        return CommandReceipt(status: .sent, reqId: id)
    }

    private func answer(_ number: String, _ sim: Int) {
        guard !words.answers.isEmpty else { return }
        report(.incomingText(sim: sim, from: number, body: words.answers[answerCount % words.answers.count]))
        answerCount += 1
    }

    private func place(_ command: CallCommand) -> CommandReceipt {
        let id = command.reqId ?? .random()
        record(.command(.makeCall(sim: command.sim, to: command.to)), id)
        call = (id, command.sim, command.to)
        reactions.add {
            for (state, delay) in [
                (PhoneEvent.CallState.dialing, Duration.seconds(1)), (.ringing, .seconds(1)), (.active, .seconds(3)),
            ] {
                guard await self.pause(delay), await self.advance(id, to: state) else { return }
            }
        }
        return CommandReceipt(status: .sent, reqId: id)
    }

    /// - Returns: False if the call is over.
    private func advance(_ id: RequestID, to state: PhoneEvent.CallState) -> Bool {
        guard let call, call.id == id else { return false }
        report(.callState(state, sim: call.sim, from: call.number, reason: nil), id)
        return true
    }

    private func hangUp(_ command: RequestID?) {
        guard let ended = call else { return }
        record(.command(.hangUp(call: ended.id)), command)
        _ = advance(ended.id, to: .ended)
        call = nil
    }

    private func reportSIMs() {
        let cards = words.carriers.enumerated().map { index, carrier in
            SIMCard(slot: index + 1, carrier: carrier, number: "+1202555010\(index)", mcc: "310")
        }
        report(.simInfo(cards))
    }

    /// - Returns: False once the socket is closed.
    private func pause(_ duration: Duration) async -> Bool { (try? await clock.sleep(for: duration)) != nil }

    // MARK: Line

    private func serve(_ peer: ScriptedService.Peer) async {
        write = peer.write
        write(RelayMessage(.connected(Self.client), time: RelayTime(.now)))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.reactions.run() }
            for await text in peer.texts { if let message = RelayMessage(text: text) { received(message) } }
            group.cancelAll()
        }
    }

    private func received(_ message: RelayMessage) {
        switch message.content {
        case .ping: write(RelayMessage(.pong))
        case .command(let command) where command.name == .hangUp: hangUp(message.reqId)
        case .command(let command) where command.name == .getSIMs: reportSIMs()
        default: break
        }
    }

    @discardableResult
    private func record(_ content: DeviceMessage.Content, _ reqId: RequestID?) -> HistoryItem.ID {
        let item = Self.item(content, (history.first?.id.rawValue ?? 0) + 1, reqId)
        history.insert(item, at: 0)
        return item.id
    }

    private func report(_ event: PhoneEvent, _ reqId: RequestID? = nil) {
        let id = record(.event(event), reqId)
        seq += 1
        write(RelayMessage(.event(event), seq: seq, historyId: id, from: Self.host, reqId: reqId))
    }

    private func write(_ message: RelayMessage) { write?(message.text) }
}
