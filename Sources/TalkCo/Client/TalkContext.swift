import ClientKit
import Foundation
import NetworkingKit
import Observation
import PlatformKit
import TalkCoWire
import WireKit

/// The parts that all models of one phone share: the service, the learner, the database, the screens in front.
@MainActor
@Observable
final class TalkContext {
    var topics = Topic.all
    /// The engines of the service, or those of the learner's own model if one is chosen; nil until known.
    var engine: EngineInfo?
    private(set) var problem: TalkCoProblem?
    var isStorageFailing: Bool { host.isStorageFailing }
    private(set) var learner: Learner.ID?
    private(set) var isMicrophoneAvailable = false
    /// True if the phone recognizes English speech itself.
    private(set) var recognizesSpeech = false
    /// The session under way, which the phone stores; nil for none.
    var openSession: OpenSession? {
        didSet { if openSession != oldValue { set(openSession, for: .openSession) } }
    }

    @ObservationIgnored let host: ClientHost
    @ObservationIgnored let api: TalkCoAPI
    @ObservationIgnored let recordings: RecordingFiles
    @ObservationIgnored let player: AnswerPlayer
    @ObservationIgnored let settings: TalkSettings
    @ObservationIgnored private let backoff: Backoff
    @ObservationIgnored private let random: @Sendable () -> Double
    @ObservationIgnored private let makeID: @Sendable () -> UUID
    /// The screens in front, the newest last, with the phone as each of them received it.
    @ObservationIgnored private var front: [(screen: ObjectIdentifier, phone: Phone)] = []
    @ObservationIgnored private var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    @ObservationIgnored private var waiterCount = 0

    enum Key: String { case learner, openSession, topics, turns, draft, questions }

    init(
        phone: Phone, service: RemoteService, backoff: Backoff, random: @escaping @Sendable () -> Double,
        makeID: @escaping @Sendable () -> UUID
    ) {
        (self.backoff, self.random, self.makeID) = (backoff, random, makeID)
        host = ClientHost(phone: phone)
        api = TalkCoAPI(service: service, clock: phone.clock)
        recordings = RecordingFiles(phone: phone)
        player = AnswerPlayer(tasks: host.tasks)
        settings = TalkSettings(phone.preferences)
    }

    var phone: Phone { host.phone }
    var tasks: TaskOwner { host.tasks }

    func makeTurnID() -> Turn.ID { Turn.ID(makeID().uuidString.lowercased()) }

    // MARK: Storage

    func value<Value: Decodable>(for key: Key) -> Value? { host.saved.value(for: key.rawValue) }

    /// - Parameter isIncidental: True if the value alone does not justify a database, because it can be obtained again.
    func set(_ value: (some Encodable)?, for key: Key, isIncidental: Bool = false) {
        host.saved.set(value, for: key.rawValue, isIncidental: isIncidental)
        tasks.request("save") { await self.save() }
    }

    /// Saves all changes before it returns.
    func save() async { await host.save() }

    /// Reads the values that the phone has stored, and generates the identity of a new learner.
    func restore() async {
        await host.openStore()
        topics = value(for: .topics) ?? topics
        openSession = value(for: .openSession)
        let turns: [OutgoingTurn] = value(for: .turns) ?? []
        await recordings.removeAll(except: Set(turns.filter { $0.session == openSession?.id }.map(\.id)))
        if let known: Learner.ID = value(for: .learner) { learner = known } else { await drawLearner() }
    }

    private func drawLearner() async {
        let drawn = Learner.ID(makeID().uuidString)
        // A learner without any work is not stored: the next start generates another one.
        host.saved.set(drawn, for: Key.learner.rawValue, isIncidental: true)
        await save()
        learner = drawn
    }

    /// Removes all data of the learner from the phone, and generates another learner.
    func forgetLearner() async {
        openSession = nil
        settings.keepsRecordings = false
        host.saved.removeAll(except: [Key.topics.rawValue])
        await recordings.removeAll(except: [])
        await drawLearner()
    }

    /// Stores the learner's identity before the service stores data of the learner.
    func keepLearner() async {
        guard let learner else { return }
        set(learner, for: .learner)
        await save()
    }

    // MARK: Service

    /// The interval of requests for topics and engines, after a success.
    private static let refreshInterval = Duration.seconds(300)
    /// The interval of requests for topics and engines while the service installs engines.
    private static let installationInterval = Duration.seconds(1)

    /// Requests topics and engines regularly, when the app comes to the front, when the network changes, and after failures.
    func followService() async {
        var failures = 0
        while !Task.isCancelled {
            await waitForFront()
            failures = await fetchOffer() ? 0 : failures + 1
            if failures == 0 {
                await pause(engine?.installation?.isUnderWay == true ? Self.installationInterval : Self.refreshInterval)
            } else {
                await pause(afterFailures: failures)
            }
        }
    }

    private func fetchOffer() async -> Bool {
        do {
            let offered = try await api.topics()
            if !offered.isEmpty, offered != topics {
                topics = offered
                set(offered, for: .topics, isIncidental: true)
            }
            do {
                if let own = try await ownEngine() { engine = own } else { engine = try await api.engine() }
            } catch TalkCoProblem.service, TalkCoProblem.notTalkCo {
                // The service lacks this extension of the contract.
                engine = nil
            }
            if problem != nil { problem = nil }
            return true
        } catch is CancellationError {
            return false
        } catch {
            problem = TalkCoProblem(error)
            return false
        }
    }

    /// Returns the engine of the learner's own model; nil if no model is chosen.
    private func ownEngine() async throws -> EngineInfo? {
        guard let learner else { return nil }
        do {
            let model = try await api.model(of: learner)
            return model.serverId == nil ? nil : model.engine
        } catch is TalkCoProblem {
            // The service lacks this extension, or does not connect to such models.
            return nil
        }
    }

    /// Asks the service to install its engines for free speech. ``engine`` has the progress.
    func installEngines() {
        tasks.request("install") {
            do {
                self.engine = try await self.api.installEngines()
            } catch is CancellationError {
            } catch {
                self.problem = TalkCoProblem(error)
            }
            self.wake()
        }
    }

    func followNetworkPath() async { await host.followNetworkPath { if host.isOnline { wake() } } }

    // MARK: Screens

    var isInFront: Bool { host.isInFront }
    /// The phone whose microphone and loudspeaker are used.
    var device: Phone { front.last?.phone ?? phone }

    func setInFront(_ isInFront: Bool, screen: AnyObject, phone: Phone?) {
        let id = ObjectIdentifier(screen)
        let wasInFront = front.contains { $0.screen == id }
        if isInFront, wasInFront, phone == nil { return }
        front.removeAll { $0.screen == id }
        if isInFront { front.append((id, phone ?? self.phone)) }
        host.setAttention(isInFront ? .full : .away, of: screen)
        guard isInFront != wasInFront else { return }
        deviceDidChange()
        if isInFront { wake() }
    }

    /// Reads the capabilities of the device in front. A page in the background cannot answer, so its last answers stay.
    func deviceDidChange() {
        guard isInFront else { return }
        tasks.request("device") {
            let device = self.device
            let hasMicrophone = await device.microphone.isAvailable()
            let recognizes = await device.recognition.isAvailable(language: ConversationViewModel.language)
            guard self.isInFront else { return }
            if hasMicrophone != self.isMicrophoneAvailable { self.isMicrophoneAvailable = hasMicrophone }
            if recognizes != self.recognizesSpeech { self.recognizesSpeech = recognizes }
        }
    }

    // MARK: Waiting

    /// Ends all pauses: the app has come to the front, the network has changed, or the user retries.
    func wake() {
        let woken = waiters.values
        waiters = [:]
        for waiter in woken { waiter.finish() }
    }

    /// Waits for the backoff, or until ``wake()``.
    func pause(afterFailures count: Int) async { await pause(backoff.delay(after: count, random: random())) }

    /// Waits for a time, or until ``wake()``.
    func pause(_ delay: Duration) async {
        let clock = phone.clock
        await untilWoken { try? await clock.sleep(for: delay) }
    }

    /// Waits until a screen of the app is in front.
    func waitForFront() async {
        while !isInFront, !Task.isCancelled { await untilWoken { await waitForCancellation() } }
    }

    private func untilWoken(_ body: @escaping @Sendable () async -> Void) async {
        let (wakeups, continuation) = AsyncStream.makeStream(of: Never.self)
        waiterCount += 1
        let number = waiterCount
        waiters[number] = continuation
        await withTaskGroup { group in
            group.addTask { for await _ in wakeups {} }
            group.addTask { await body() }
            await group.next()
            group.cancelAll()
        }
        waiters[number] = nil
    }
}
