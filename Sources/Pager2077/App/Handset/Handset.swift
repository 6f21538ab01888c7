import Pager2077Client
import Pager2077Wire
import PlatformKit
import SwiftUI

/// One display with its keys: the screen, the chosen line, the text being typed. The data it shows is the phone's ``Pager``.
@Observable
final class Handset {
    /// The result of the last key.
    enum Banner: Hashable {
        case requestSent, nowFriends, copied, saved
        case incompleteCode, nothingToChoose
        case problem(PagerProblem)

        /// Whether it says that something was done. Such a banner ends by itself.
        var isConfirmation: Bool { [.requestSent, .nowFriends, .copied, .saved].contains(self) }
    }

    /// A line that was chosen, and where it stood.
    private struct Cursor {
        var id: Row.ID
        var index: Int
    }

    let pager: Pager
    private(set) var banner: Banner? { didSet { bannerChanged() } }
    private(set) var isBusy = false
    private var path: [Screen] = []
    private var cursors: [Screen: Cursor] = [:]
    private(set) var taps = MultiTap()
    private var code = ""
    private var name = ""
    /// A friend's code from a link, until the pager is ready for it.
    private var linkedCode: HexCode?
    @ObservationIgnored private let phone: Phone
    @ObservationIgnored private let start = ContinuousClock.now
    @ObservationIgnored private var work: Task<Void, Never>?
    @ObservationIgnored private var bannerEnd: Task<Void, Never>?

    init(pager: Pager, phone: Phone) {
        self.pager = pager
        self.phone = phone
    }

    deinit { bannerEnd?.cancel() }

    var screen: Screen {
        switch pager.phase {
        case .starting: .starting
        case .welcome: .welcome
        case .registering: .registering
        case .registrationFailed(let problem): .registrationFailed(problem)
        case .naming: .firstName
        case .ready: path.last ?? .menu
        }
    }

    var mode: MultiTap.Mode { taps.mode }

    // MARK: What is typed

    /// Whether an on-screen keyboard takes the place of the keys.
    var isTyping: Bool { phone.keyboard.isShown }

    /// The text in the field of the screen.
    var text: String {
        get {
            switch screen {
            case .addFriend: code
            case .firstName, .name: name
            case .chat(let friend): pager.chat(with: friend).draft
            default: ""
            }
        }
        set {
            // It was about the text as it stood.
            if newValue != text { banner = nil }
            switch screen {
            case .addFriend: code = String(newValue.uppercased().filter { $0.isASCII && $0.isHexDigit }.prefix(HexCode.length))
            case .firstName, .name: name = String(newValue.prefix(DisplayName.maximumLength))
            case .chat(let friend): pager.chat(with: friend).draft = newValue
            default: break
            }
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        // While the pager is busy the display says WAIT.
        Task { [pager, isBusy] in await pager.play(isBusy ? .error : .key) }
        guard !isBusy else { return }
        banner = nil
        if let alphabet = screen.alphabet { return type(key, alphabet) }
        switch key.asDirection {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .right, .call: choose()
        case .left, .end: back()
        case .hash: if screen == .friends, let friend = chosenFriend { open(.removal(friend.id)) }
        default: break
        }
    }

    private var chosenFriend: Friend? {
        pager.friends.items.indices.contains(cursor) ? pager.friends.items[cursor] : nil
    }

    /// A digit that is held down types itself.
    func hold(_ digit: Int) {
        guard screen.alphabet != nil, !isBusy else { return }
        taps.hold(digit, text: &text, limit: screen.limit)
    }

    private func type(_ key: Key, _ alphabet: MultiTap.Alphabet) {
        switch key {
        case .digit(let digit):
            taps.press(digit, in: alphabet, text: &text, limit: screen.limit, now: start.duration(to: phone.inputTime))
        case .star: if alphabet != .code { taps.mode = taps.mode.next }
        case .hash:
            taps.settle()
            text = String(text.dropLast())
        case .right: taps.settle()
        case .call: choose()
        case .end: back()
        default: break
        }
    }

    // MARK: Lists

    /// The index of the chosen line. The line stays chosen while others come and go; when it goes itself, the one in its place is.
    var cursor: Int { place(in: rows) }

    /// Holds on to the first line once there is one: what comes before it later is not chosen in its place.
    func pin() { if cursors[screen] == nil, let first = rows.first { cursors[screen] = Cursor(id: first.id, index: 0) } }

    private func place(in rows: [Row]) -> Int {
        guard let chosen = cursors[screen] else { return 0 }
        return rows.firstIndex { $0.id == chosen.id } ?? min(chosen.index, max(rows.count - 1, 0))
    }

    private func move(by step: Int) {
        let rows = rows
        guard !rows.isEmpty else { return }
        let index = (place(in: rows) + step + rows.count) % rows.count
        cursors[screen] = Cursor(id: rows[index].id, index: index)
    }

    /// Chooses a line, as tapping it does. Nothing happens when it has gone.
    func choose(_ id: Row.ID) {
        guard let index = rows.firstIndex(where: { $0.id == id }), !isBusy else { return }
        cursors[screen] = Cursor(id: id, index: index)
        press(.call)
    }

    // MARK: Ways

    func open(_ screen: Screen) {
        banner = nil
        taps = MultiTap()
        if screen == .name { name = pager.me?.displayName ?? "" }
        if screen == .addFriend { code = "" }
        cursors[screen] = nil
        path.append(screen)
    }

    /// The screens that lead to this one, and the chosen line, as text that a page keeps.
    var place: String {
        let line = cursors[screen].map { [Self.lineMark + $0.id] } ?? []
        return (path.map(\.name) + line).joined(separator: "/")
    }

    /// Goes back to a ``place`` of before a restart. Parts that are no screens are left out.
    func restore(_ place: String) {
        guard path.isEmpty else { return }
        let parts = place.split(separator: "/").map(String.init)
        path = parts.compactMap(Screen.init(name:))
        if let line = parts.last, line.hasPrefix(Self.lineMark) {
            cursors[screen] = Cursor(id: String(line.dropFirst(Self.lineMark.count)), index: 0)
        }
        if screen == .name { name = pager.me?.displayName ?? "" }
    }

    private static let lineMark = "@"

    /// The number of screens that END leads back over, one at a time.
    var depth: Int { pager.phase == .ready ? path.count : 0 }

    /// Opens ADD FRIEND with the code of a link, now or when the pager is ready.
    func open(_ link: HexCode?) {
        linkedCode = link
        openLinkedCode()
    }

    func openLinkedCode() {
        guard pager.phase == .ready, let code = linkedCode else { return }
        linkedCode = nil
        path = []
        open(.addFriend)
        text = code.rawValue
    }

    /// Opens the chat that a notification leads to.
    func openWantedChat() {
        guard pager.phase == .ready, let friend = pager.wantedChat else { return }
        pager.wantedChat = nil
        banner = nil
        if screen != .chat(friend) { path = [.messages, .chat(friend)] }
    }

    private func back() {
        taps.settle()
        if screen == .firstName { return pager.skipName() }
        leave()
    }

    /// Goes back one screen.
    func leave() {
        if !path.isEmpty { path.removeLast() }
    }

    /// Goes to the chat with somebody who has just become a friend.
    func greet(_ friend: User.ID) -> Banner {
        path = [.friends, .chat(friend)]
        return .nowFriends
    }

    // MARK: Doing

    private func choose() {
        switch screen {
        case .welcome, .registrationFailed: perform { await $0.begin() }
        case .firstName:
            let name = name
            perform { try await $0.setDisplayName(name) }
        case .name:
            let name = name
            perform {
                try await $0.setDisplayName(name)
            } then: {
                self.leave()
                return .saved
            }
        case .addFriend: requestFriend()
        case .chat(let friend): send(to: friend)
        case .starting, .registering: break
        case .myCode: copyCode()
        default:
            let rows = rows
            if rows.indices.contains(place(in: rows)) { rows[place(in: rows)].action() } else { refuse(.nothingToChoose) }
        }
    }

    /// Says why a key does nothing.
    private func refuse(_ banner: Banner) {
        self.banner = banner
        Task { [pager] in await pager.play(.error) }
    }

    // MARK: Banners

    /// The time that a confirmation stays.
    private static let confirmationTime: Duration = .seconds(4)

    private func bannerChanged() {
        bannerEnd?.cancel()
        guard let shown = banner, shown.isConfirmation else { return }
        bannerEnd = Task { [weak self, clock = phone.clock] in
            guard (try? await clock.sleep(for: Self.confirmationTime)) != nil, let self, self.banner == shown else { return }
            self.banner = nil
        }
    }

    /// Ends a banner about a line that was down.
    func lineDidOpen() { if case .problem(let problem) = banner, problem.isTemporary { banner = nil } }

    /// Works with the pager; keys wait meanwhile.
    ///
    /// - Parameter then: Runs when it went well, and gives the banner.
    func perform(_ body: @escaping (Pager) async throws -> Void, then: @escaping () -> Banner? = { nil }) {
        isBusy = true
        work = Task { [pager] in
            do {
                try await body(pager)
                banner = then()
                if banner != nil { await pager.play(.confirm) }
            } catch {
                banner = .problem(error as? PagerProblem ?? .network)
                await pager.play(.error)
            }
            isBusy = false
        }
    }

    private func requestFriend() {
        guard code.count == HexCode.length else { return refuse(.incompleteCode) }
        let code = code
        var areFriends = false
        perform {
            areFriends = try await $0.requestFriend(code)
        } then: {
            let friend = self.pager.friends.items.first { $0.hexCode.rawValue == code }
            if areFriends, let friend { return self.greet(friend.id) }
            // Back to FRIENDS, also where ADD FRIEND was opened elsewhere.
            self.path = [.friends]
            return areFriends ? .nowFriends : .requestSent
        }
    }

    private func send(to friend: User.ID) {
        taps = MultiTap()
        let chat = pager.chat(with: friend)
        guard !chat.draft.isEmpty else {
            guard let waiting = chat.waiting.first else { return refuse(.problem(.messageEmpty)) }
            Task { await pager.retry(waiting, in: chat) }
            return
        }
        Task {
            do {
                try await pager.sendDraft(of: chat)
            } catch {
                banner = .problem(error as? PagerProblem ?? .storage)
                await pager.play(.error)
            }
        }
    }

    private func copyCode() {
        guard let code = pager.me?.hexCode.rawValue else { return }
        perform {
            try await $0.copy(code)
        } then: {
            .copied
        }
    }
}
