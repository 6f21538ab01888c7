import Pager2077Client
import Pager2077Wire
import PlatformKit
import SwiftUI
import ViewKit

/// The state of one display with its keys: the screen, the selected row, the text being typed. The shown data belongs to the phone's
/// ``Pager``.
@Observable
final class Handset {
    /// The result of the last key.
    enum Banner: Hashable {
        case requestSent, nowFriends, copied, saved, blocked, unblocked, reported
        case incompleteCode, nothingToSelect
        /// The phone does not allow notifications; SETTINGS says what to do.
        case notificationsBlocked
        /// The page is not secure; SETTINGS says what to do.
        case notificationsInsecure
        /// The user has just refused notifications, or not answered.
        case notificationsOff
        case problem(PagerProblem)

        /// True for a banner that reports success. It disappears by itself.
        var isConfirmation: Bool {
            [.requestSent, .nowFriends, .copied, .saved, .blocked, .unblocked, .reported].contains(self)
        }
    }

    /// The selected row and its index.
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
    /// A friend's code from a link, kept until the pager is ready.
    private var linkedCode: HexCode?
    @ObservationIgnored private let phone: Phone
    @ObservationIgnored private let start = ContinuousClock.now
    /// The time when the hash key last deleted a letter, since ``start``.
    @ObservationIgnored private var lastDeletion: Duration?
    @ObservationIgnored private var work: Task<Void, Never>?
    @ObservationIgnored private let sending = UserCommand<PagerProblem>()
    @ObservationIgnored private var bannerEnd: Task<Void, Never>?

    init(pager: Pager, phone: Phone) {
        self.pager = pager
        self.phone = phone
    }

    nonisolated deinit { bannerEnd?.cancel() }

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

    // MARK: Text entry

    /// True while an on-screen keyboard replaces the keypad.
    var isTyping: Bool { phone.keyboard.isShown }

    /// The text of the screen's field.
    var text: String {
        get {
            switch screen {
            case .addFriend, .deletionCode: code
            case .firstName, .name: name
            case .chat(let friend): pager.chat(with: friend).draft
            default: ""
            }
        }
        set {
            // The banner referred to the previous text.
            if newValue != text { banner = nil }
            switch screen {
            case .addFriend, .deletionCode: code = HexCode.digits(in: newValue)
            case .firstName, .name: name = String(newValue.prefix(DisplayName.maximumLength))
            case .chat(let friend): pager.chat(with: friend).draft = newValue
            default: break
            }
        }
    }

    /// Removes line feeds from the text, which has one line. A typed one acts like CALL; others are part of a pasted text.
    ///
    /// - Parameter old: The text before the change.
    func takeLineFeed(in new: String, before old: String) {
        guard new.contains(where: \.isNewline) else { return }
        text = new.filter { !$0.isNewline } == old ? old : new.split(whereSeparator: \.isNewline).joined(separator: " ")
        if text == old { press(.call) }
    }

    // MARK: Keys

    func press(_ key: Key) {
        // While the pager is busy, the display shows PLEASE WAIT.
        pager.playSoon(isBusy ? .error : .key)
        guard !isBusy else { return }
        banner = nil
        if key == .hash, hasOptions, !hasJustDeleted { return openOptions() }
        if let alphabet, key != .call, key != .end { return type(key, alphabet) }
        switch key.asDirection {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .right, .call: choose()
        case .left, .end: if canChangeServer { changeServer?() } else { back() }
        default: break
        }
    }

    // MARK: Options

    /// Opens the options for the person on the screen, or in the selected row.
    private func openOptions() {
        switch screen {
        case .friends: if let friend = selected(of: pager.friends.items) { open(.person(friend.id)) }
        case .messages: if let conversation = selected(of: pager.conversations.items) { open(.person(conversation.friendId)) }
        case .chat(let friend): open(.person(friend))
        default: break
        }
    }

    private func selected<Item>(of items: [Item]) -> Item? { items.indices.contains(cursor) ? items[cursor] : nil }

    /// True if the hash key opens the options: in a list of people, and in a chat where it has nothing to delete.
    var hasOptions: Bool {
        switch screen {
        case .friends, .messages: !rows.isEmpty
        case .chat(let friend): pager.isBlocked(friend) || alphabet != nil && pager.chat(with: friend).draft.isEmpty
        default: false
        }
    }

    /// True for a moment after the hash key has deleted a letter: another press was meant to delete one, too.
    private var hasJustDeleted: Bool {
        lastDeletion.map { start.duration(to: phone.inputTime) - $0 < MultiTap.repeatInterval } ?? false
    }

    /// The alphabet of the text entry; nil without text entry, and in a chat with a user who is blocked or has deleted the account.
    var alphabet: MultiTap.Alphabet? {
        if case .chat(let friend) = screen, pager.isBlocked(friend) || pager.chat(with: friend).isFriendDeleted { return nil }
        return screen.alphabet
    }

    /// Types the digit itself when its key is held down.
    func hold(_ digit: Int) {
        guard alphabet != nil, !isBusy else { return }
        taps.hold(digit, text: &text, limit: screen.limit)
    }

    private func type(_ key: Key, _ alphabet: MultiTap.Alphabet) {
        switch key {
        case .digit(let digit):
            taps.press(digit, in: alphabet, text: &text, limit: screen.limit, now: start.duration(to: phone.inputTime))
        case .star: if alphabet != .code { taps.mode = taps.mode.next }
        case .hash:
            taps.commit()
            if !text.isEmpty { lastDeletion = start.duration(to: phone.inputTime) }
            text = String(text.dropLast())
        case .right: taps.commit()
        default: break
        }
    }

    /// True if END leads to the choice of another server: no user is registered at this one, which may be the wrong server.
    var canChangeServer: Bool {
        switch screen {
        case .welcome, .registrationFailed: changeServer != nil
        default: false
        }
    }

    /// Lets the user choose another server; nil where there is no choice.
    var changeServer: (@MainActor @Sendable () -> Void)? { phone.changeServer }

    // MARK: Lists

    /// The index of the selected row. The selection follows its row; when the row disappears, the row at the same index is selected.
    var cursor: Int { index(in: rows) }

    /// Selects the first row as soon as there is one, so that rows inserted before it do not become selected.
    func selectFirstRow() { if cursors[screen] == nil, let first = rows.first { cursors[screen] = Cursor(id: first.id, index: 0) } }

    private func index(in rows: [Row]) -> Int {
        guard let selected = cursors[screen] else { return 0 }
        return rows.firstIndex { $0.id == selected.id } ?? min(selected.index, max(rows.count - 1, 0))
    }

    private func move(by step: Int) {
        let rows = rows
        guard !rows.isEmpty else { return }
        let index = (self.index(in: rows) + step + rows.count) % rows.count
        cursors[screen] = Cursor(id: rows[index].id, index: index)
    }

    /// Selects a row and activates it, for a tap. Does nothing when the row no longer exists.
    func choose(_ id: Row.ID) {
        guard let index = rows.firstIndex(where: { $0.id == id }), !isBusy else { return }
        cursors[screen] = Cursor(id: id, index: index)
        press(.call)
    }

    // MARK: Navigation

    func open(_ screen: Screen) {
        banner = nil
        taps = MultiTap()
        if screen == .name { name = pager.me?.displayName ?? "" }
        if screen == .addFriend || screen == .deletionCode { code = "" }
        cursors[screen] = nil
        path.append(screen)
    }

    /// The navigation path and the selected row as text, for state restoration.
    var restorationPath: String {
        let line = cursors[screen].map { [Self.rowPrefix + $0.id] } ?? []
        return (path.map(\.name) + line).joined(separator: "/")
    }

    /// Restores a ``restorationPath`` saved before a restart. Ignores unknown parts.
    func restore(_ saved: String) {
        guard path.isEmpty else { return }
        let parts = saved.split(separator: "/").map(String.init)
        path = parts.compactMap(Screen.init(name:))
        if let line = parts.last, line.hasPrefix(Self.rowPrefix) {
            cursors[screen] = Cursor(id: String(line.dropFirst(Self.rowPrefix.count)), index: 0)
        }
        if screen == .name { name = pager.me?.displayName ?? "" }
    }

    private static let rowPrefix = "@"

    /// Count of screens below the current one; END goes back one at a time.
    var depth: Int { pager.phase == .ready ? path.count : 0 }

    /// Opens ADD FRIEND with the code of a link, now or as soon as the pager is ready.
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

    /// Opens the screen that a tapped notification leads to.
    func openDestination() {
        guard pager.phase == .ready, !isBusy, let destination = pager.destination else { return }
        pager.destination = nil
        banner = nil
        taps = MultiTap()
        switch destination {
        case .chat(let friend):
            if pager.isStranger(friend) { return openChat(ofStranger: friend) }
            if screen != .chat(friend) { path = [.messages, .chat(friend)] }
        case .requests: if screen != .requests { path = [.requests] }
        case .friends: if screen != .friends { path = [.friends] }
        }
    }

    /// Opens the chat with a user who may have become a friend a moment ago, on another phone or while there was no line.
    private func openChat(ofStranger user: User.ID) {
        path = [.messages]
        perform { pager in
            await pager.loadFriends()
            if pager.isStranger(user) { throw PagerProblem.notFriends }
        } then: {
            self.path = [.messages, .chat(user)]
            return nil
        }
    }

    private func back() {
        taps.commit()
        if screen == .firstName {
            pager.skipName()
            banner = refusal
            return
        }
        leave()
    }

    /// Returns to the previous screen.
    func leave() {
        if !path.isEmpty { path.removeLast() }
    }

    /// Leaves every screen about a person.
    func leave(_ user: User.ID) { path.removeAll { $0.isAbout(user) } }

    /// Leaves the screens of a report that was sent.
    func leaveReport() { path.removeAll { if case .report = $0 { true } else { false } } }

    /// Resets the display once no user is registered any more.
    func phaseDidChange() {
        guard pager.phase == .welcome else { return }
        (path, cursors, code, name, banner) = ([], [:], "", "", nil)
        taps = MultiTap()
    }

    /// Opens the chat with a new friend.
    func greet(_ friend: User.ID) -> Banner {
        path = [.friends, .chat(friend)]
        return .nowFriends
    }

    // MARK: Actions

    private func choose() {
        switch screen {
        case .welcome, .registrationFailed: perform { await $0.begin() }
        case .firstName:
            let name = name
            perform({ try await $0.setDisplayName(name) }, then: { self.refusal })
        case .name:
            let name = name
            perform {
                try await $0.setDisplayName(name)
            } then: {
                self.leave()
                return .saved
            }
        case .addFriend: requestFriend()
        case .deletionCode: deleteAccount()
        case .chat(let friend) where alphabet == nil: refuse(.problem(pager.isBlocked(friend) ? .blocked : .accountDeleted))
        case .chat(let friend): send(to: friend)
        case .starting, .registering: break
        case .myCode: copyCode()
        default:
            let (rows, index) = (rows, cursor)
            if rows.indices.contains(index) { rows[index].action() } else { refuse(.nothingToSelect) }
        }
    }

    /// The banner that tells a new user without notifications where to turn them on; nil if they are on.
    private var refusal: Banner? { [.off, .blocked, .insecure].contains(pager.notifications.state) ? .notificationsOff : nil }

    /// Turns notifications on or off.
    func toggleNotifications() {
        switch pager.notifications.state {
        case .on, .waiting, .withoutPush: pager.notifications.turnOff()
        case .off, .blocked, .insecure:
            perform {
                await $0.notifications.turnOn()
            } then: {
                switch self.pager.notifications.state {
                case .blocked: .notificationsBlocked
                case .insecure: .notificationsInsecure
                default: nil
                }
            }
        }
    }

    /// Shows why a key has no effect.
    private func refuse(_ banner: Banner) {
        self.banner = banner
        pager.playSoon(.error)
    }

    // MARK: Banners

    /// The time for which a confirmation is shown.
    private static let confirmationTime: Duration = .seconds(4)

    private func bannerChanged() {
        bannerEnd?.cancel()
        guard let shown = banner, shown.isConfirmation else { return }
        bannerEnd = Task { [weak self, clock = phone.clock] in
            guard (try? await clock.sleep(for: Self.confirmationTime)) != nil, let self, self.banner == shown else { return }
            self.banner = nil
        }
    }

    /// Removes a banner about a temporary problem once the pager is connected.
    func lineDidOpen() { if case .problem(let problem) = banner, problem.isTemporary { banner = nil } }

    /// Runs an operation of the pager; keys have no effect meanwhile.
    ///
    /// - Parameter then: Called on success; returns the banner to show.
    func perform(_ body: @escaping (Pager) async throws -> Void, then: @escaping () -> Banner? = { nil }) {
        isBusy = true
        work = Task { [pager] in
            do {
                try await body(pager)
                banner = then()
                if let banner { await pager.play(banner.isConfirmation ? .confirm : .error) }
            } catch {
                banner = .problem(error as? PagerProblem ?? .network)
                await pager.play(.error)
            }
            isBusy = false
            openDestination()
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
            // Return to FRIENDS, even when ADD FRIEND was opened from elsewhere.
            self.path = [.friends]
            return areFriends ? .nowFriends : .requestSent
        }
    }

    private func deleteAccount() {
        guard code.count == HexCode.length else { return refuse(.incompleteCode) }
        let code = code
        perform { try await $0.deleteAccount(confirmedBy: code) }
    }

    private func send(to friend: User.ID) {
        taps = MultiTap()
        let chat = pager.chat(with: friend)
        guard !chat.draft.isEmpty else {
            guard let waiting = chat.waiting.first else { return refuse(.problem(.messageEmpty)) }
            return sending.runNext { [pager] in await pager.retry(waiting, in: chat) }
        }
        sending.runNext { [self] in
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
