package import Foundation
package import Logging
import PlatformKit
import SwiftUI
import WireKit

/// A browser as a phone: the secret in its cookie, a folder, and its open pages.
@MainActor
package final class BrowserPhone {
    let identity: String
    private let folder: URL
    private let logger: Logger
    let files: PhoneFiles
    let speech = PageSpeech()
    /// The lifetime of the phone's folder. Nothing is written after the phone was forgotten.
    private let life = PhoneLife()
    private(set) var sessions: [PageSession] = []
    private var parts: [String: Parts] = [:]
    private var networkLink = NetworkLink.local
    private var linkListeners: [AsyncStream<NetworkLink>.Continuation] = []
    var onForget: @MainActor () -> Void = {}
    /// The client address that rate limits use for calls of this phone to its own box.
    var clientAddress: @Sendable () -> String = { "browser phones" }
    /// The time of the user's input that is being handled; nil for none.
    private var inputTime: ContinuousClock.Instant?

    /// The parts of this phone that belong to one app.
    private struct Parts {
        var phone: Phone
        let biometrics: PageBiometrics
        let notifications = AppNotifications()
    }

    /// The settings of the phone itself, apart from those of its apps.
    private lazy var settings = StoredPreferences(file: file("phone", "preferences"))

    /// Creates a phone without a box, for tests and measurements. Its key is random, so that no other phone can read its secrets.
    package convenience init(identity: String, folder: URL, logger: Logger) {
        self.init(identity: identity, folder: folder, key: .random(), logger: logger)
    }

    convenience init(identity: String, folder: URL, key: PhoneKey, logger: Logger) {
        self.init(
            identity: identity, folder: folder, files: PhoneFiles(folder.deletingLastPathComponent(), key: key, logger: logger),
            logger: logger)
    }

    init(identity: String, folder: URL, files: PhoneFiles, logger: Logger) {
        self.files = files
        self.identity = identity
        self.folder = folder
        self.logger = logger
    }

    /// Returns the phone that the app receives on one page.
    func phone(for app: String, on page: PageSurroundings) -> Phone {
        var phone = phone(for: app)
        phone.keyboard = page.keyboard
        phone.appLink = page.appLink
        phone.privacyPolicy = page.appLink.flatMap { URL(string: "/privacy", relativeTo: $0)?.absoluteURL }
        phone.isSecure = page.isSecure
        phone.biometrics = parts[app]?.biometrics.on(page) ?? phone.biometrics
        phone.scanner = PageScanner(phone: self, app: app, page: page)
        return phone
    }

    func phone(for app: String) -> Phone {
        if let parts = parts[app] { return parts.phone }
        let app = app.isEmpty ? "home" : app
        let biometrics = PageBiometrics(phone: self, app: app, file: file(app, "biometrics"))
        let phone = Phone(
            keychain: StoredKeychain(file: file(app, "keychain")), preferences: StoredPreferences(file: file(app, "preferences")),
            notifications: PageNotifications(phone: self, app: app), clipboard: PageClipboard(phone: self),
            sounds: PageSounds(phone: self), networkPath: PageNetworkPath(phone: self),
            biometrics: biometrics, scanner: PageScanner(phone: self, app: app, page: nil),
            microphone: PageMicrophone(phone: self, app: app), speaker: PageSpeaker(phone: self, app: app),
            folder: { [life, folder = folder.appending(path: app)] in
                try life.perform {
                    try FileManager.default.createDirectory(
                        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                }
                return folder
            },
            storedFolder: { [folder = folder.appending(path: app)] in
                FileManager.default.fileExists(atPath: folder.path) ? folder : nil
            }, inputTime: { [weak self] in self?.inputTime ?? .now },
            askScreen: { [weak self] in await self?.askScreen(of: app) }, instances: AppInstances())
        parts[app] = Parts(phone: phone, biometrics: biometrics)
        return phone
    }

    private func file(_ app: String, _ kind: String) -> StoredValues {
        StoredValues(app, kind, of: identity, in: folder, key: files.key, life: life, logger: logger)
    }

    // MARK: Sessions

    func add(_ session: PageSession) { sessions.append(session) }
    func remove(_ session: PageSession) { sessions.removeAll { $0 === session } }

    /// Returns the session whose page the user most likely looks at, of `app` if one is given; nil if no page is connected.
    func session(of app: String? = nil) -> PageSession? {
        let attached = sessions.filter { $0.isAttached && (app == nil || $0.app.name == app) }
        let inFront = attached.filter { $0.host.scene.phase == .active }
        return (inFront.isEmpty ? attached : inFront).max { $0.lastUsed < $1.lastUsed }
    }

    /// Asks the pages of an app until one answers.
    private func askScreen(of app: String) async {
        for session in sessions where session.app.name == app {
            if await session.answers() { return }
        }
    }

    // MARK: Languages

    /// The language chosen for this phone; nil for the languages of the browser.
    var language: String? {
        get { settings.value(String.self, for: "language") }
        set {
            settings.set(newValue, for: "language")
            for session in sessions { session.setLanguages() }
        }
    }

    /// Returns the language chosen for this phone, if there is one, and then those of a browser.
    func languages(before browserLanguages: [String]) -> [String] { (language.map { [$0] } ?? []) + browserLanguages }

    // MARK: Forgetting

    /// Ends every page of this phone and removes its folder.
    func forget() { onForget() }

    /// Releases the app instances.
    func close() {
        for parts in parts.values { parts.phone.instances.removeAll() }
        parts = [:]
    }

    func removeEverything() {
        close()
        files.removeFolder(of: identity, ending: life)
    }

    // MARK: Reports of pages

    /// Runs `body` as the handler of the user's input at `moment`.
    func handleInput(of moment: ContinuousClock.Instant, _ body: () -> Void) {
        inputTime = moment
        defer { inputTime = nil }
        body()
    }

    func setNetworkLink(_ link: NetworkLink) {
        guard link != networkLink else { return }
        networkLink = link
        linkListeners.removeAll { $0.yield(link).isTerminated }
    }

    /// - Returns: nil for an app that has not been opened.
    func notifications(of app: String) -> AppNotifications? { parts[app]?.notifications }

    func networkLinks() -> AsyncStream<NetworkLink> {
        let (stream, continuation) = AsyncStream.makeStream(of: NetworkLink.self, bufferingPolicy: .bufferingNewest(1))
        linkListeners.removeAll { $0.yield(networkLink).isTerminated }
        linkListeners.append(continuation)
        continuation.yield(networkLink)
        return stream
    }

    /// Sends every page of an app a message without a reply.
    ///
    /// - Returns: True if there is a page.
    func notifyAll(_ name: StaticString, in app: String, _ value: (inout JSONWriter) -> Void) -> Bool {
        !sessions.filter { $0.app.name == app && $0.notify(name, value) }.isEmpty
    }

    /// Sends a request to the page that the user most likely looks at: of `app` if one is given, and never of another app.
    ///
    /// - Throws: ``PhoneError``; `absent` without such a page.
    func request(
        _ name: StaticString, in app: String? = nil, timeout: Duration = PageSession.requestTimeout,
        _ value: (inout JSONWriter) -> Void = { $0.null() }
    ) async throws -> JSONValue {
        guard let session = session(of: app) else { throw PhoneError.absent }
        do {
            return try await session.request(name, timeout: timeout, value)
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }
}

extension PhoneError {
    init(_ error: PageError) {
        self =
            switch error {
            case .absent: .absent
            case .denied, .gesture: .denied
            case .unsupported: .unsupported
            case .failed: .failed("the browser could not do it")
            }
    }
}

extension SceneModel {
    /// Sets the appearance, the time zone and the size from the hello of a page.
    func describe(_ hello: Hello) {
        colorScheme = hello.scheme == "dark" ? .dark : .light
        if let zone = hello.timeZone.flatMap({ $0.utf8.count <= 64 ? TimeZone(identifier: $0) : nil }) { timeZone = zone }
        if let width = hello.width, let height = hello.height { setSize(width, height) }
    }

    /// Sets the size of the screen, if each side is from 1 to 20,000 points.
    func setSize(_ width: Double, _ height: Double) {
        guard (1...20_000).contains(width), (1...20_000).contains(height) else { return }
        size = CGSize(width: width, height: height)
    }
}

extension Hello {
    /// Up to eight languages of the browser in the form of BCP 47. Other texts would stay in lookup tables permanently.
    var knownLanguages: [String] { (languages ?? []).prefix(8).filter(Self.isLanguage) }

    private static func isLanguage(_ text: String) -> Bool {
        (1...35).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || ($0 < 0x80 && Character(UnicodeScalar($0)).isLetter)
                    || ($0 < 0x80 && Character(UnicodeScalar($0)).isNumber)
            }
    }
}
