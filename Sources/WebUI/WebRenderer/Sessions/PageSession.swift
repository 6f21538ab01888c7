import Foundation
import PlatformKit
package import SwiftUI
import WireKit

/// A tree of views on the box, and the page that shows it while one is connected.
///
/// ```
///  attached ──socket ends──▶ detached ──grace time──▶ closed
///     ▲                         │
///     └────hello with token─────┘
/// ```
@MainActor
package final class PageSession {
    /// Finds the session again. Known to its page only.
    let token = Secret.make()
    let app: WebApp
    package let host: ViewHost
    private let surroundings: PageSurroundings
    /// Holds its sessions too, until they are closed.
    let phone: BrowserPhone
    /// The network whose share of all sessions this one counts for; nil: the phone was let in by an access code.
    let network: String?
    /// The connection that shows it now.
    private(set) var connection: PageConnection?
    private(set) var lastUsed = ContinuousClock.now
    /// The highest sequence number of an event that was handled.
    private var sequence = 0
    /// The last acknowledgement. Nil: the page wants one now.
    private var toldSequence: Int? = 0
    /// Events that came too late to be done, and those of them that the page was not told of.
    private var late: [Int] = []
    private var untoldLate: [Int] = []
    private var toldLanguage = ""
    private var toldSceneVersion = 0
    private var browserLanguages: [String]

    private var ops = JSONWriter()
    private var motion: Animation?
    private var needsSnapshot = true
    private var isNew = true
    private var requests: [(number: Int, text: String)] = []
    private var answers: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    private var lastRequest = 0

    /// Changes that wait for a slow page: beyond this a snapshot is cheaper. Bytes.
    static let mostWaiting = 131_072
    private static let mostRequests = 32
    /// The age from which on the box does not do any more what the user asked for: a page says after 3 s without bytes that it is reconnecting,
    /// and whoever has seen that for a second has decided anew.
    static let maximumInputAge: Duration = .seconds(4)
    /// The number of late events that are remembered. A page keeps as many events that were not acknowledged.
    private static let maximumLateCount = 200
    /// How long a page may take to answer: a person may be asked.
    nonisolated static let patience: Duration = .seconds(120)

    /// - Parameter origin: Of the page, as the browser writes it.
    package init(app: WebApp, phone: BrowserPhone, network: String? = nil, hello: Hello, origin: String? = nil) {
        self.app = app
        surroundings = PageSurroundings(appLink: origin.flatMap { URL(string: $0 + app.folder) })
        self.phone = phone
        self.network = network
        let scene = SceneModel()
        browserLanguages = hello.knownLanguages
        scene.describe(hello)
        scene.setLanguages(chosen: phone.language, browser: browserLanguages)
        scene.store.restore(hello.sceneValues)
        host = ViewHost(app.root(phone, surroundings), scene: scene, rowsWait: true)
        surroundings.session = self
        scene.open = { [weak self] url in self?.open(url) ?? false }
        host.onChanges = { [weak self] changes, motion in self?.changed(changes, motion) }
        scene.store.onChange { [weak self] in Task { @MainActor in self?.connection?.ring() } }
    }

    var isAttached: Bool { connection != nil }

    /// How little the user needs it now.
    enum Idleness: Comparable { case inFront, unused, background, detached }

    func idleness(at now: ContinuousClock.Instant) -> Idleness {
        if !isAttached { return .detached }
        if host.scene.phase == .background { return .background }
        return lastUsed + Self.idleTime <= now ? .unused : .inFront
    }
    private static let idleTime: Duration = .seconds(10 * 60)

    // MARK: The page

    /// Shows the tree on `connection` from now on. A page that showed it before is told that it moved.
    func attach(_ connection: PageConnection, hello: Hello) {
        if let old = self.connection, old !== connection {
            old.end(hello.document == old.document ? nil : .moved)
            failRequests()
        }
        self.connection = connection
        lastUsed = .now
        needsSnapshot = true
        ops = JSONWriter()
        host.scene.describe(hello)
        browserLanguages = hello.knownLanguages
        setLanguages()
        if let isOnline = hello.online { phone.setOnline(isOnline) }
        surroundings.keyboard.isShown = hello.keyboard ?? false
        host.scene.phase = hello.active == false ? .background : .active
        host.holdsBack = false
        connection.ring()
    }

    /// Keeps the tree for the page to come back to, unless another connection has taken it already.
    func detach(_ connection: PageConnection) {
        guard self.connection === connection else { return }
        self.connection = nil
        lastUsed = .now
        host.scene.phase = .background
        host.holdsBack = false
        ops = JSONWriter()
        failRequests()
    }

    /// Tells whoever waits for an answer that the page is gone.
    private func failRequests() {
        requests = []
        let waiting = answers
        answers = [:]
        for (_, answer) in waiting { answer.resume(throwing: PageError.absent) }
    }

    /// Ends the tree. The page is told why.
    package func close(_ reason: Gone?) {
        connection?.end(reason)
        connection.map(detach)
        host.close()
    }

    /// The next frame for the page, if there is anything to say. Until the one after is asked for, changes in the background wait.
    func nextFrame() -> String? {
        guard !host.isClosed else { return nil }
        let frame = needsSnapshot ? snapshot() : requests.isEmpty ? changes() : requests.removeFirst().text
        host.holdsBack = frame != nil
        return frame
    }

    private func changes() -> String? {
        guard !ops.bytes.isEmpty || sequence != toldSequence || host.scene.store.version != toldSceneVersion else { return nil }
        var frame = JSONWriter()
        frame.object { frame in
            if sequence != toldSequence {
                frame.key("ack")
                frame.integer(sequence)
            }
            tell(untoldLate, to: &frame)
            if let motion {
                frame.key("motion")
                frame.string(CSS.motion(motion))
            }
            if language != toldLanguage { tellLanguage(to: &frame) }
            if host.scene.store.version != toldSceneVersion { tellScene(to: &frame) }
            if !ops.bytes.isEmpty {
                frame.key("ops")
                frame.raw(ops, open: "[", close: "]")
            }
        }
        toldSequence = sequence
        untoldLate = []
        ops = JSONWriter()
        motion = nil
        return frame.text
    }

    private func snapshot() -> String {
        host.flush()
        needsSnapshot = false
        ops = JSONWriter()
        motion = nil
        toldSequence = sequence
        untoldLate = []
        var frame = JSONWriter()
        frame.object { frame in
            frame.key("session")
            frame.string(token)
            frame.key("resumed")
            frame.bool(!isNew)
            frame.key("ack")
            frame.integer(sequence)
            // All: what told the page of one may have been lost with the connection.
            tell(late, to: &frame)
            tellLanguage(to: &frame)
            tellScene(to: &frame)
            frame.key("root")
            FrameWriter.write(host.root, to: &frame)
        }
        isNew = false
        return frame.text
    }

    /// Takes over the language of the phone, or where none is chosen those of this page's browser.
    func setLanguages() { host.scene.setLanguages(chosen: phone.language, browser: browserLanguages) }

    private var language: String { host.scene.languages.first ?? "en" }

    private func tellLanguage(to frame: inout JSONWriter) {
        toldLanguage = language
        frame.key("lang")
        frame.string(language)
    }

    private func tellScene(to frame: inout JSONWriter) {
        toldSceneVersion = host.scene.store.version
        frame.key("scene")
        frame.object { frame in
            for (key, value) in host.scene.store.kept {
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

    private func tell(_ late: [Int], to frame: inout JSONWriter) {
        guard !late.isEmpty else { return }
        frame.key("late")
        frame.array { frame in
            for number in late { frame.integer(number) }
        }
    }

    private func changed(_ changes: [Change], _ motion: Animation?) {
        guard let connection, !needsSnapshot else { return }
        self.motion = motion ?? self.motion
        for change in changes { FrameWriter.write(change, to: &ops) }
        if ops.bytes.count > Self.mostWaiting { needsSnapshot = true }
        connection.ring()
    }

    // MARK: What the page says

    func receive(_ frame: PageFrame, from connection: PageConnection) {
        // What a page still says that lost the tree counts no more.
        guard self.connection === connection else { return }
        let (moment, age) = connection.receive(at: frame.t)
        if frame.ping == true {
            toldSequence = nil
            return connection.ring()
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
        lastUsed = .now
        phone.handleInput(of: moment) {
            if let element = frame.i, element != 0 {
                guard let name = EventName(rawValue: event) else { return }
                if name.isCommand(frame.value), age > Self.maximumInputAge {
                    late = (late + [number]).suffix(Self.maximumLateCount)
                    untoldLate = (untoldLate + [number]).suffix(Self.maximumLateCount)
                } else {
                    host.send(name, to: element, frame.value)
                }
            } else {
                happened(event, frame.v)
            }
        }
        connection.ring()
    }

    private func happened(_ event: String, _ value: JSONValue?) {
        switch (event, value) {
        case ("phase", .string(let phase)):
            host.scene.phase = phase == "active" ? .active : phase == "inactive" ? .inactive : .background
        case ("scheme", .string(let scheme)): host.scene.colorScheme = scheme == "dark" ? .dark : .light
        case ("size", .array(let sides)):
            let sides = sides.compactMap { if case .integer(let side) = $0 { Double(side) } else { nil } }
            if sides.count == 2 { host.scene.setSize(sides[0], sides[1]) }
        case ("online", .bool(let isOnline)): phone.setOnline(isOnline)
        case ("keyboard", .bool(let isShown)): surroundings.keyboard.isShown = isShown
        case ("url", .string(let address)): opened(address)
        case ("notification", .string(let tag)): phone.notificationWasTapped(tag, in: app.name)
        default: break
        }
        host.flush()
    }

    /// Hands the app the address of its own page, with a fragment. Anybody can write such a link.
    private func opened(_ address: String) {
        guard address.utf8.count <= Self.maximumLinkLength, let url = URL(string: address),
            url.path(percentEncoded: true).hasPrefix(app.folder)
        else { return }
        host.open(url)
    }

    private static let maximumLinkLength = 2048

    // MARK: What the page can do

    /// Asks the page for one of its capabilities and waits for the answer.
    ///
    /// - Throws: ``PageError``: no page is connected, or it could not do it.
    func ask(_ name: StaticString, patience: Duration = patience, _ value: (inout JSONWriter) -> Void) async throws -> JSONValue {
        guard let connection, requests.count < Self.mostRequests, answers.count < Self.mostRequests else { throw PageError.absent }
        lastRequest += 1
        let number = lastRequest
        tell(name, number, value)
        connection.ring()
        let deadline = Task {
            // Cancelled by the answer.
            if (try? await Task.sleep(for: patience)) != nil {
                answers.removeValue(forKey: number)?.resume(throwing: PageError.absent)
            }
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answers[number] = $0 }
        } onCancel: {
            Task { @MainActor in answers.removeValue(forKey: number)?.resume(throwing: CancellationError()) }
        }
    }

    /// Asks the page without waiting, if one is connected.
    @discardableResult
    func tell(_ name: StaticString, _ value: (inout JSONWriter) -> Void) -> Bool {
        guard let connection, requests.count < Self.mostRequests else { return false }
        tell(name, 0, value)
        connection.ring()
        return true
    }

    private func tell(_ name: StaticString, _ number: Int, _ value: (inout JSONWriter) -> Void) {
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

    private func open(_ url: URL) -> Bool { tell("open") { $0.string(url.absoluteString) } }
}

/// The parts of an app's phone that each page has for itself.
@MainActor
final class PageSurroundings {
    let keyboard = OnScreenKeyboard()
    let appLink: URL?
    /// The session of the page, as long as there is one.
    fileprivate(set) weak var session: PageSession?

    init(appLink: URL?) { self.appLink = appLink }
}

extension EventName {
    /// Whether the event asks for something that is bound to now, as opposed to a report of what the browser has done already. The end of a press
    /// asks for nothing.
    fileprivate func isCommand(_ value: EventValue) -> Bool {
        switch self {
        case .input, .focus, .blur, .appear: false
        case .press: value != .number(0)
        default: true
        }
    }
}

/// The reason for which a page loses its tree. The raw value is the word in the protocol.
package enum Gone: String, Sendable {
    case moved, forgotten, full, outdated, idle
}

/// Why a page did not do what it was asked for.
enum PageError: Error, Equatable {
    case absent, denied, unsupported, failed

    init(_ word: String) {
        self =
            switch word {
            case "denied", "gesture": .denied
            case "unsupported": .unsupported
            default: .failed
            }
    }
}
