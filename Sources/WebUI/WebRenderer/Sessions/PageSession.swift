import Foundation
import PlatformKit
package import SwiftUI
import WireKit

/// A tree of views on the box, and the connection of its page.
///
/// ```
///  attached ──socket ends──▶ detached ──grace time──▶ closed
///     ▲                         │
///     └────hello with token─────┘
/// ```
@MainActor
package final class PageSession {
    /// The secret with which the page resumes the session.
    let token = Secret.make()
    let app: WebApp
    package let host: ViewHost
    private let surroundings: PageSurroundings
    /// The phone, which holds its sessions until they are closed.
    let phone: BrowserPhone
    /// The network whose quota the session counts against; nil for a phone with the access code.
    let network: String?
    /// The current connection of the page; nil while the session is detached.
    private(set) var connection: PageConnection?
    private(set) var lastUsed = ContinuousClock.now
    /// The sequence number of the last handled event.
    private var sequence = 0
    /// The last acknowledged sequence number; nil when an acknowledgement is due now.
    private var acknowledgedSequence: Int? = 0
    /// The commands that were too old to be handled, and those of them that are not yet reported to the page.
    private var late = LateCommands()
    private var unreportedLate = LateCommands()
    private var sentLanguage = ""
    private var sentSceneVersion = 0
    private var browserLanguages: [String]

    private var operations = FrameBody()
    /// The unsent snapshot of the tree after the event with the number `sequence`; nil for none.
    private var tree: (body: FrameBody, sequence: Int)?
    /// The next turn of the writing; nil if nothing is left to write.
    private var writing: Task<Void, Never>?
    private var motion: Animation?
    private var needsSnapshot = true
    private var isNew = true
    private var requests: [(number: Int, text: String)] = []
    private var answers: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    private var lastRequest = 0
    /// The binary streams between this tree and its page.
    nonisolated let streams = PageStreams()
    /// The phase that the page has reported.
    private var reportedPhase = ScenePhase.background
    /// True if the page has not answered. The scene is in the background until a frame of the page arrives.
    private var isSilent = false
    /// The id of the page load to which the streams belong.
    private var document = ""

    /// Maximum size of pending changes, in bytes. Beyond it a snapshot replaces further changes.
    static let maximumPendingLength = 131_072
    private static let maximumRequestCount = 32
    /// Maximum age of a command of the user. After 3 s a page shows that it is reconnecting, or that the box is busy; a user who
    /// has seen that for a second repeats the command if it still applies.
    static let maximumInputAge: Duration = .seconds(4)
    /// Maximum views and elements that one turn of the main actor evaluates for a page: 2 to 5 ms in a debug build.
    private static let workPerTurn = 50
    /// Maximum time until the answer to a request. The page may have to prompt the user.
    nonisolated static let requestTimeout: Duration = .seconds(120)
    /// Maximum time until the answer to a presence check. After as long a silence a page opens another connection.
    nonisolated static let answerTimeout: Duration = .seconds(10)

    /// - Parameter origin: The page's `Origin`.
    package init(app: WebApp, phone: BrowserPhone, network: String? = nil, hello: Hello, origin: String? = nil) {
        self.app = app
        surroundings = PageSurroundings(
            appLink: origin.flatMap { URL(string: $0 + app.folder) }, isSecure: hello.secure ?? true)
        self.phone = phone
        self.network = network
        let scene = SceneModel()
        browserLanguages = hello.knownLanguages
        scene.describe(hello)
        scene.setLanguages(phone.languages(before: browserLanguages), of: app.bundle)
        scene.store.restore(hello.sceneValues)
        host = ViewHost(
            app.root(phone, surroundings), scene: scene, awaitsRowVisibility: true, workPerTurn: Self.workPerTurn)
        surroundings.session = self
        scene.open = { [weak self] url in self?.open(url) ?? false }
        scene.announce = { [weak self] text in self?.soon { $0.notify("announce") { $0.string(text) } } }
        host.onChanges = { [weak self] changes, motion in self?.changed(changes, motion) }
        scene.store.onChange { [weak self] in self?.soon { $0.connection?.signalFrame() } }
    }

    /// Runs `work` on the main actor, for what an app may do on any thread.
    nonisolated private func soon(_ work: @escaping @MainActor (PageSession) -> Void) {
        // Bridges a synchronous callback.
        Task { @MainActor [weak self] in if let self { work(self) } }
    }

    var isAttached: Bool { connection != nil }

    /// The degree of disuse, in ascending order.
    enum Idleness: Comparable { case inFront, unused, background, detached }

    func idleness(at now: ContinuousClock.Instant) -> Idleness {
        if !isAttached { return .detached }
        if host.scene.phase == .background { return .background }
        return lastUsed + Self.idleTime <= now ? .unused : .inFront
    }
    private static let idleTime: Duration = .seconds(10 * 60)

    // MARK: Connections

    /// Attaches a connection. The page of an earlier one is notified that the session moved.
    func attach(_ connection: PageConnection, hello: Hello) {
        if let old = self.connection, old !== connection {
            old.end(hello.document == old.document ? nil : .moved)
            failRequests()
        }
        self.connection = connection
        connection.streams = streams.connect(isSamePage: hello.document == document)
        document = hello.document
        lastUsed = .now
        needsSnapshot = true
        stopWriting()
        host.scene.describe(hello)
        browserLanguages = hello.knownLanguages
        setLanguages()
        if let link = hello.network.flatMap(NetworkLink.init) { phone.setNetworkLink(link) }
        surroundings.keyboard.isShown = hello.keyboard ?? false
        isSilent = false
        setPhase(hello.active == false ? .background : .active)
        host.defersChanges = false
        phone.notifications(of: app.name)?.attach(self)
        connection.signalFrame()
    }

    /// Detaches a connection, unless another one is attached already. The session waits for its page to return.
    func detach(_ connection: PageConnection) {
        guard self.connection === connection else { return }
        self.connection = nil
        streams.disconnect()
        lastUsed = .now
        host.scene.phase = .background
        host.defersChanges = false
        stopWriting()
        failRequests()
    }

    /// Fails all requests that wait for an answer.
    private func failRequests() {
        requests = []
        let waiting = answers
        answers = [:]
        for (_, answer) in waiting { answer.resume(throwing: PageError.absent) }
    }

    /// Closes the session, and sends the page the reason.
    package func close(_ reason: Gone?) {
        connection?.end(reason)
        connection.map(detach)
        streams.fail(.absent)
        host.close()
    }

    /// Returns the next frame for the page; nil if none is due. Background changes wait until the frame is sent.
    func nextFrame() -> String? {
        guard !host.isClosed else { return nil }
        if needsSnapshot { host.flush() }
        guard !host.isUnfinished else {
            // The end of the flush signals the frame.
            host.defersChanges = false
            return nil
        }
        if needsSnapshot {
            needsSnapshot = false
            (operations, tree) = (FrameBody(), (FrameBody(root: host.root), host.lastReportedEvent))
            write()
            guard !host.isUnfinished else { return nil }
        }
        let frame = tree != nil ? snapshot() : requests.isEmpty ? changes() : requests.removeFirst().text
        host.defersChanges = frame != nil
        return frame
    }

    private func changes() -> String? {
        let acknowledged = host.lastReportedEvent
        guard !operations.json.bytes.isEmpty || acknowledged != acknowledgedSequence || host.scene.store.version != sentSceneVersion
        else {
            return nil
        }
        var frame = JSONWriter()
        frame.object { frame in
            if acknowledged != acknowledgedSequence {
                frame.key("ack")
                frame.integer(acknowledged)
            }
            unreportedLate.write(to: &frame)
            if let motion {
                frame.key("motion")
                frame.string(CSS.motion(motion))
            }
            if language != sentLanguage { writeLanguage(to: &frame) }
            if host.scene.store.version != sentSceneVersion { writeScene(to: &frame) }
            if !operations.json.bytes.isEmpty {
                frame.key("ops")
                frame.raw(operations.json, open: "[", close: "]")
            }
        }
        acknowledgedSequence = acknowledged
        unreportedLate = LateCommands()
        operations = FrameBody()
        motion = nil
        return frame.text
    }

    private func snapshot() -> String? {
        guard let (body, sequence) = tree else { return nil }
        tree = nil
        motion = nil
        acknowledgedSequence = sequence
        unreportedLate = LateCommands()
        var frame = JSONWriter()
        frame.object { frame in
            frame.key("session")
            frame.string(token)
            frame.key("resumed")
            frame.bool(!isNew)
            frame.key("ack")
            frame.integer(sequence)
            // All late commands: an earlier report may have been lost with the connection.
            late.write(to: &frame)
            writeLanguage(to: &frame)
            writeScene(to: &frame)
            frame.key("root")
            frame.raw(body.json)
        }
        isNew = false
        return frame.text
    }

    /// Applies the language of the phone, if one was chosen, and those of the browser.
    func setLanguages() { host.scene.setLanguages(phone.languages(before: browserLanguages), of: app.bundle) }

    private var language: String { host.scene.languages.first ?? "en" }

    private func writeLanguage(to frame: inout JSONWriter) {
        sentLanguage = language
        frame.key("lang")
        frame.string(language)
    }

    private func writeScene(to frame: inout JSONWriter) {
        sentSceneVersion = host.scene.store.version
        frame.key("scene")
        frame.object { frame in
            for (key, value) in host.scene.store.storableValues {
                frame.key(key)
                switch value {
                case .text(let text): frame.string(text)
                case .integer(let number): frame.integer(number)
                case .number(let number): frame.number(number)
                case .flag(let flag): frame.bool(flag)
                }
            }
        }
    }

    private func changed(_ changes: [Change], _ motion: Animation?) {
        guard let connection else { return }
        if operations.json.bytes.count > Self.maximumPendingLength { needsSnapshot = true }
        guard !needsSnapshot else { return connection.signalFrame() }
        self.motion = motion ?? self.motion
        operations.add(changes)
        write()
    }

    /// Writes the tree or the operations in turns. Until the last turn nothing is evaluated, and the page waits for its frame.
    private func write() {
        if tree?.body.isComplete == false { tree?.body.writeTurn() } else { operations.writeTurn() }
        let isComplete = operations.isComplete && tree?.body.isComplete != false
        writing = isComplete ? nil : Task { [weak self] in if !Task.isCancelled { self?.write() } }
        host.isHeld = !isComplete
        if isComplete { connection?.signalFrame() }
    }

    private func stopWriting() {
        writing?.cancel()
        (writing, operations, tree) = (nil, FrameBody(), nil)
        host.isHeld = false
    }

    // MARK: Frames from the page

    /// - Parameter receipt: The time at which the box read the frame. The frame has waited for the main actor since then.
    func receive(_ frame: PageFrame, from connection: PageConnection, at receipt: ContinuousClock.Instant) {
        // Frames from an earlier connection do not count.
        guard self.connection === connection else { return }
        if isSilent {
            isSilent = false
            setPhase(reportedPhase)
            host.flush()
        }
        let (moment, age) = connection.moment(of: frame.t, receivedAt: receipt)
        if frame.ping == true {
            acknowledgedSequence = nil
            return connection.signalFrame()
        }
        if let number = frame.reply {
            if let answer = answers.removeValue(forKey: number) {
                if let error = frame.error {
                    answer.resume(throwing: PageError(error))
                } else {
                    answer.resume(returning: frame.v ?? .null)
                }
            }
            return
        }
        guard let event = frame.e, let number = frame.s, number > sequence else { return }
        sequence = number
        host.lastEvent = number
        lastUsed = .now
        phone.handleInput(of: moment) {
            if let element = frame.i, element != 0 {
                guard let name = EventName(rawValue: event) else { return }
                let importance = name.importance(of: frame.value)
                if importance == .report || age <= Self.maximumInputAge {
                    host.send(name, to: element, frame.value)
                } else if importance == .command {
                    let isSlowBox = connection.delay(from: moment, to: receipt) <= Self.maximumInputAge
                    late.add(number, isSlowBox: isSlowBox)
                    unreportedLate.add(number, isSlowBox: isSlowBox)
                }
            } else {
                happened(event, frame.v)
            }
        }
        // Also for an event without a handler, since the acknowledgement follows a flush.
        if host.lastReportedEvent < number { host.flush() }
        connection.signalFrame()
    }

    private func happened(_ event: String, _ value: JSONValue?) {
        switch (event, value) {
        case ("phase", .string(let phase)):
            setPhase(phase == "active" ? .active : phase == "inactive" ? .inactive : .background)
        case ("scheme", .string(let scheme)): host.scene.colorScheme = scheme == "dark" ? .dark : .light
        case ("size", .array(let sides)):
            let sides = sides.compactMap { if case .integer(let side) = $0 { Double(side) } else { nil } }
            if sides.count == 2 { host.scene.setSize(sides[0], sides[1]) }
        case ("network", .string(let link)):
            if let link = NetworkLink(rawValue: link) { phone.setNetworkLink(link) }
        case ("keyboard", .bool(let isShown)): surroundings.keyboard.isShown = isShown
        case ("url", .string(let address)): opened(address)
        case ("notification", .string(let tag)): phone.notifications(of: app.name)?.wasTapped(tag)
        case ("address", _): phone.notifications(of: app.name)?.addressDidChange()
        default: break
        }
        host.flush()
    }

    /// Sets the phase that the page has reported.
    private func setPhase(_ phase: ScenePhase) {
        reportedPhase = phase
        host.scene.phase = phase
    }

    /// Opens a link to the app's own page in the app. Links are untrusted.
    private func opened(_ address: String) {
        guard address.utf8.count <= Self.maximumLinkLength, let url = URL(string: address),
            url.path(percentEncoded: true).hasPrefix(app.folder)
        else { return }
        host.open(url)
    }

    private static let maximumLinkLength = 2048

    // MARK: Capabilities of the page

    /// Sends a request to a capability of the page and waits for the answer.
    ///
    /// - Throws: ``PageError``: no page is connected, or the capability failed.
    func request(
        _ name: StaticString, timeout: Duration = requestTimeout, _ value: (inout JSONWriter) -> Void
    ) async throws -> JSONValue {
        guard let connection, requests.count < Self.maximumRequestCount, answers.count < Self.maximumRequestCount else {
            throw PageError.absent
        }
        lastRequest += 1
        let number = lastRequest
        enqueue(name, number, value)
        connection.signalFrame()
        let deadline = Task {
            // Cancelled by the answer, or with the caller.
            let isLate = (try? await Task.sleep(for: timeout)) != nil
            answers.removeValue(forKey: number)?.resume(throwing: isLate ? PageError.absent : CancellationError())
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answers[number] = $0 }
        } onCancel: {
            deadline.cancel()
        }
    }

    /// Returns true if a page in front answers. Without an answer the page counts as in the background until its next frame.
    func answers(within timeout: Duration = answerTimeout) async -> Bool {
        guard let connection, host.scene.phase == .active else { return false }
        do {
            _ = try await request("here", timeout: timeout) { $0.null() }
        } catch PageError.absent {
            // Another connection may have replaced this one meanwhile.
            guard self.connection === connection else { return false }
            isSilent = true
            host.scene.phase = .background
            host.flush()
        } catch {
            return false
        }
        return host.scene.phase == .active
    }

    /// Sends a request without an answer. Returns false if no page is connected, or too many requests wait.
    @discardableResult
    func notify(_ name: StaticString, _ value: (inout JSONWriter) -> Void) -> Bool {
        guard let connection, requests.count < Self.maximumRequestCount else { return false }
        enqueue(name, 0, value)
        connection.signalFrame()
        return true
    }

    private func enqueue(_ name: StaticString, _ number: Int, _ value: (inout JSONWriter) -> Void) {
        var frame = JSONWriter()
        frame.object { frame in
            frame.key("ask")
            frame.array { frame in
                frame.integer(number)
                frame.string("\(name)")
                value(&frame)
            }
        }
        requests.append((number, frame.text))
    }

    private func open(_ url: URL) -> Bool { notify("open") { $0.string(url.absoluteString) } }
}

/// The parts of an app's phone that belong to one page.
@MainActor
final class PageSurroundings {
    let keyboard = OnScreenKeyboard()
    let appLink: URL?
    /// True if the page is a secure context for the browser. Constant for a page, since it depends on the page's address.
    let isSecure: Bool
    /// The session of the page; nil after its end.
    fileprivate(set) weak var session: PageSession?

    init(appLink: URL?, isSecure: Bool) { (self.appLink, self.isSecure) = (appLink, isSecure) }
}

/// The treatment of an event that comes late.
private enum Importance {
    /// A report of something that the browser has already done: handled.
    case report
    /// An intermediate state of a gesture, of which only the end counts: dropped.
    case course
    /// A command of the user: dropped, and the page says so.
    case command
}

extension EventName {
    fileprivate func importance(of value: EventValue) -> Importance {
        switch (self, value) {
        case (.input, _), (.focus, _), (.blur, _), (.appear, _), (.place, _), (.pinch, _), (.press, .number(0)): .report
        case (.press, _): .course
        case (.drag, .drag(let report)): report.isOver ? .command : .course
        default: .command
        }
    }
}

/// The sequence numbers of commands that were too old to be handled, by the cause.
private struct LateCommands {
    /// Maximum commands of one cause to remember: as many as a page keeps unacknowledged events.
    private static let maximumCount = 200

    /// The commands that arrived late: they waited in the page, or the connection stalled.
    private var late: [Int] = []
    /// The commands that arrived in time and that the box reached late.
    private var slow: [Int] = []

    mutating func add(_ number: Int, isSlowBox: Bool) {
        if isSlowBox {
            slow = (slow + [number]).suffix(Self.maximumCount)
        } else {
            late = (late + [number]).suffix(Self.maximumCount)
        }
    }

    func write(to frame: inout JSONWriter) {
        for (name, numbers) in [("late", late), ("slow", slow)] where !numbers.isEmpty {
            frame.key(name)
            frame.array { frame in
                for number in numbers { frame.integer(number) }
            }
        }
    }
}

/// The reason why a page loses its session. The raw value is the word in the protocol.
package enum Gone: String, Sendable {
    case moved, forgotten, full, outdated, idle
}

/// A failure of a request to a page.
package enum PageError: Error, Equatable {
    case absent, denied, unsupported, failed
    /// The browser requires a tap of the user first.
    case gesture

    init(_ word: String) {
        self =
            switch word {
            case "denied": .denied
            case "gesture": .gesture
            case "unsupported": .unsupported
            default: .failed
            }
    }
}
