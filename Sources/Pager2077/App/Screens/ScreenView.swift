import Pager2077Client
import Pager2077Wire
import SwiftUI

/// The display with the current screen.
struct ScreenView: View {
    let handset: Handset
    /// The address that opens the app on another phone.
    let appLink: URL?
    let privacyPolicy: URL?

    private var pager: Pager { handset.pager }

    var body: some View {
        Display(
            title: handset.screen.title(pager), pager: pager, position: position, banner: banner,
            hints: handset.screen.hints(
                hasRows: !handset.rows.isEmpty, canChangeServer: handset.canChangeServer, canWrite: handset.alphabet != nil,
                hasOptions: handset.hasOptions),
            isTyping: handset.isTyping, press: handset.press
        ) {
            if handset.depth > 0 {
                content.frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
                    .accessibilityElement(children: .contain)
                    .accessibilityAction(.escape) { handset.press(.end) }
            } else {
                content
            }
        }
    }

    /// The position of the selected row in a list that may scroll. Shorter lists leave the space to the title.
    private var position: Text? {
        let count = handset.rows.count
        return count > 3 ? Text(verbatim: "\(handset.cursor + 1)/\(count)") : nil
    }

    private var banner: String? {
        handset.isBusy ? .lcd("PLEASE WAIT") : handset.banner?.text ?? pager.storageProblem?.text
    }

    @ViewBuilder private var content: some View {
        switch handset.screen {
        case .starting: Text.lcd("PLEASE WAIT")
        case .welcome: welcome
        case .registering: Text.lcd("REGISTERING")
        case .registrationFailed(let problem): Text(verbatim: problem.text).frame(maxWidth: .infinity, maxHeight: .infinity)
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
                // Names are not unique; the code identifies the sender.
                if let request = pager.requests.items.first(where: { $0.id == id }) {
                    Text("HEX \(request.fromUserHexCode.rawValue)", bundle: .module)
                }
                ListScreen(handset: handset, empty: .lcd("REQUEST NOT FOUND"))
            }
        case .settings:
            VStack(alignment: .leading, spacing: 6) {
                ListScreen(handset: handset)
                pager.notifications.explanation?.font(LCD.small).padding(.horizontal, 4)
                ContactLink(pager: pager)
                privacy
            }
            .task { await pager.loadContact() }
        case .ntfy: NtfyScreen(handset: handset)
        case .menu, .person: ListScreen(handset: handset)
        case .blocking:
            ListScreen(
                handset: handset,
                explanation: [
                    .lcd("NOTHING MORE COMES FROM THIS PERSON: NO PAGES, NO REQUESTS, NO NOTIFICATIONS."),
                    .lcd("THE PERSON IS NOT TOLD. PAGES UP TO NOW STAY."),
                ])
        case .report(let report): ReportScreen(handset: handset, report: report)
        case .blocked:
            list(pager.blocked.phase, empty: "NOBODY IS BLOCKED") { await pager.loadBlocked() }
        case .deletion: DeletionScreen(handset: handset)
        case .deletionCode: DeletionEntry(handset: handset)
        case .chat(let friend): ChatScreen(handset: handset, chat: pager.chat(with: friend)).id(friend)
        case .myCode: if let code = pager.me?.hexCode { CodeScreen(code: code, link: code.link(to: appLink)) }
        }
    }

    private var welcome: some View {
        VStack(spacing: 14) {
            Text(verbatim: "\u{E008}").font(LCD.large).accessibilityHidden(true)
            pager.isAccountDeleted ? Text.lcd("YOUR ACCOUNT IS DELETED") : Text.lcd("A PAGER FOR FRIENDS")
            (pager.notifications.canAsk
                ? Text.lcd("PRESS CALL TO GET YOUR HEX AND TURN ON NOTIFICATIONS") : Text.lcd("PRESS CALL TO GET YOUR HEX"))
                .font(LCD.small)
            privacy
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    @ViewBuilder private var privacy: some View {
        if let privacyPolicy {
            Link(destination: privacyPolicy) {
                Text.lcd("PRIVACY POLICY").font(LCD.small).underline().padding(.horizontal, 4).frame(minHeight: 44)
            }
            .buttonStyle(.plain)
            .accessibilityIdentifier("privacy-policy")
        }
    }

    /// Returns a list from the service: loaded when the screen appears, and again by RETRY.
    @ViewBuilder private func list<Item>(
        _ phase: Listing<Item>.Phase, empty: LocalizedStringKey, load: @escaping @MainActor () async -> Void
    ) -> some View {
        VStack(alignment: .leading, spacing: 6) {
            if case .failed(let problem) = phase {
                RetryLine(problem: problem, retry: load)
                if !handset.rows.isEmpty { ListScreen(handset: handset) }
            } else {
                ListScreen(handset: handset, empty: .lcd(phase == .ready ? empty : "PLEASE WAIT"))
            }
        }
        .task { await load() }
    }
}
