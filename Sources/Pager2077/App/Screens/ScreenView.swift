import Pager2077Client
import Pager2077Wire
import SwiftUI

/// The display with the screen that one is on.
struct ScreenView: View {
    let handset: Handset
    /// The address that opens this app on another phone.
    let appLink: URL?

    private var pager: Pager { handset.pager }

    var body: some View {
        Display(
            title: handset.screen.title(pager), pager: pager, place: place, banner: banner,
            hints: handset.screen.hints(hasLines: !handset.rows.isEmpty), isTyping: handset.isTyping, press: handset.press
        ) {
            content
        }
    }

    /// The index of the chosen line and the count, where some lines may be out of sight. Elsewhere the title needs the room.
    private var place: Text? {
        let count = handset.rows.count
        return count > 3 ? Text(verbatim: "\(handset.cursor + 1)/\(count)") : nil
    }

    private var banner: Text? {
        handset.isBusy ? .lcd("WAIT") : handset.banner?.text ?? pager.storageProblem?.text
    }

    @ViewBuilder private var content: some View {
        switch handset.screen {
        case .starting: Text.lcd("WAIT")
        case .welcome: welcome
        case .registering: Text.lcd("REGISTERING")
        case .registrationFailed(let problem): problem.text.frame(maxWidth: .infinity, maxHeight: .infinity)
        case .firstName: NameEntry(handset: handset, isFirst: true)
        case .name: NameEntry(handset: handset, isFirst: false)
        case .addFriend: CodeEntry(handset: handset)
        case .friends:
            list(pager.friends.phase, empty: "NO FRIENDS YET") { await pager.loadFriends() }
        case .requests:
            list(pager.requests.phase, empty: "NO REQUESTS") { await pager.loadRequests() }
        case .messages:
            list(pager.conversations.phase, empty: "NO MESSAGES") { await pager.loadConversations() }
        case .request(let id):
            VStack(alignment: .leading, spacing: 6) {
                // Names can be anything: the code says who it is.
                if let request = pager.requests.items.first(where: { $0.id == id }) {
                    Text("HEX \(request.fromUserHexCode.rawValue)", bundle: .module)
                }
                ListScreen(handset: handset, empty: .lcd("REQUEST IS GONE"))
            }
        case .menu, .settings, .removal: ListScreen(handset: handset)
        case .chat(let friend): ChatScreen(handset: handset, chat: pager.chat(with: friend)).id(friend)
        case .myCode: if let code = pager.me?.hexCode { CodeScreen(code: code, link: code.link(to: appLink)) }
        }
    }

    private var welcome: some View {
        VStack(spacing: 14) {
            Text(verbatim: "\u{E008}").font(LCD.large).accessibilityHidden(true)
            Text.lcd("A PAGER BETWEEN FRIENDS")
            Text.lcd("CALL GETS YOU A HEX AND ASKS WHETHER IT MAY BEEP").font(LCD.small)
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    /// Lines from the service: fetched when one comes here, and again by RETRY.
    @ViewBuilder private func list<Item>(
        _ phase: Listing<Item>.Phase, empty: LocalizedStringKey, load: @escaping () async -> Void
    ) -> some View {
        VStack(alignment: .leading, spacing: 6) {
            if case .failed(let problem) = phase {
                RetryLine(problem: problem, retry: load)
                if !handset.rows.isEmpty { ListScreen(handset: handset) }
            } else {
                ListScreen(handset: handset, empty: .lcd(phase == .ready ? empty : "WAIT"))
            }
        }
        .task { await load() }
    }
}
