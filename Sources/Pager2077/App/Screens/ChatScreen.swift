import Pager2077Client
import Pager2077Wire
import SwiftUI
import ViewKit

/// The conversation with a friend and the entry field.
struct ChatScreen: View {
    let handset: Handset
    let chat: Chat
    @Environment(\.timeZone) private var timeZone

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            if case .failed(let problem) = chat.phase, hasLines {
                RetryLine(problem: problem, isShort: true) { await handset.pager.load(chat) }
            }
            history.frame(maxWidth: .infinity, maxHeight: .infinity)
            if let state { Text(verbatim: state).font(LCD.small).accessibilityIdentifier("state") }
            if handset.alphabet != nil {
                EntryField(handset: handset, prompt: "MESSAGE", isLong: true)
            } else if !chat.isFriendDeleted {
                Text.lcd("BLOCKED - UNBLOCK TO REPLY").font(LCD.small)
            }
        }
        .announces(state, atFirst: false)
        .task { await handset.pager.follow(chat, on: handset) }
    }

    /// The delivery state of the user's latest message; nil while the notice below the messages says SENT and nothing more is known.
    private var deliveryState: DeliveryState? {
        guard let message = chat.lastSent, message.isRead || message.delivery != nil || chat.notice != .sent || chat.isFriendDeleted
        else { return nil }
        return DeliveryState(
            message: message, friend: handset.pager.name(of: chat.friend), isFriendDeleted: chat.isFriendDeleted)
    }

    private var hasLines: Bool { !chat.messages.isEmpty || !chat.waiting.isEmpty }

    @ViewBuilder private var history: some View {
        if case .failed(let problem) = chat.phase, !hasLines {
            RetryLine(problem: problem) { await handset.pager.load(chat) }
        } else if chat.isEmpty {
            Text.lcd("NO MESSAGES")
        } else {
            ScrollViewReader { scroll in
                ScrollView {
                    VStack(alignment: .leading, spacing: 8) {
                        let newDays = chat.messages.firstOfEachDay(in: timeZone)
                        ForEach(chat.messages) { message in
                            if newDays.contains(message.id) { DayLine(day: message.sentAt) }
                            MessageLines(
                                message: message, isOwn: message.senderId != chat.friend,
                                state: message.id == chat.lastSent?.id ? deliveryState : nil)
                        }
                        ForEach(chat.waiting) { waiting in
                            UnsentLines(waiting: waiting) {
                                await handset.pager.retry(waiting, in: chat)
                            } discard: {
                                await handset.pager.discard(waiting, in: chat)
                            }
                        }
                        Color.clear.frame(height: 1).id(ListEnd.end)
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }
                .defaultScrollAnchor(.bottom)
                // The user's own message scrolls into view even if the user has scrolled up.
                .scrolls(scroll, to: ListEnd.end, anchor: .bottom, onChangeOf: chat.sendCount)
            }
        }
    }

    private var state: String? {
        if chat.isFriendDeleted { return .lcd("ACCOUNT DELETED") }
        return switch chat.notice {
        case .sending: .lcd("SENDING")
        case .problem(let problem): problem.text
        case .sent where chat.isWaitingForReply: .lcd("SENT - WAITING FOR REPLY")
        case .sent: .lcd("SENT")
        case nil: chat.isWaitingForReply ? .lcd("WAITING FOR REPLY") : nil
        }
    }
}

/// The scroll position behind the last message.
private enum ListEnd { case end }

extension [Message] {
    /// Returns the first message of each day, which gets a day header. Today has no header while it starts the list.
    func firstOfEachDay(in timeZone: TimeZone, today: Date = .now) -> Set<Message.ID> {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        var day = calendar.startOfDay(for: today)
        var firsts: Set<Message.ID> = []
        for message in self {
            let ownDay = calendar.startOfDay(for: message.sentAt)
            if ownDay != day { firsts.insert(message.id) }
            day = ownDay
        }
        return firsts
    }
}

private struct DayLine: View {
    let day: Date

    var body: some View {
        Text(day, format: .dateTime.weekday(.abbreviated).month(.abbreviated).day())
            .font(LCD.small)
            .frame(maxWidth: .infinity)
            .accessibilityAddTraits(.isHeader)
    }
}

private struct MessageLines: View {
    let message: Message
    let isOwn: Bool
    var state: DeliveryState?

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            HStack(spacing: 6) {
                (isOwn ? Text.lcd("YOU") : Text(verbatim: message.senderDisplayName)).lineLimit(1)
                Text(message.sentAt, style: .time)
                if isOwn {
                    Text(verbatim: message.isRead ? "✓✓" : "✓")
                        .accessibilityLabel(Text(message.isRead ? "READ" : "SENT", bundle: .module))
                        .accessibilityHidden(state != nil)
                }
            }
            .font(LCD.small)
            .foregroundStyle(LCD.faint)
            Text(verbatim: message.text).textSelection(.enabled)
            state
        }
        .padding(.leading, isOwn ? 24 : 0)
        .accessibilityElement(children: .combine)
    }
}

/// The delivery state of the user's latest message, in words.
private struct DeliveryState: View {
    let message: Message
    let friend: String
    let isFriendDeleted: Bool

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            (isLost ? .lcd("NOT DELIVERED") : message.deliveryText).accessibilityIdentifier("delivery")
            if !isLost, message.isWaitingForFriend { Text("ARRIVES WHEN \(friend) OPENS THE PAGER", bundle: .module) }
        }
        .font(LCD.small)
        .foregroundStyle(LCD.faint)
    }

    /// True for a message that the friend had not got when the account was deleted.
    private var isLost: Bool {
        isFriendDeleted && !message.isRead && message.delivery != .shown && message.delivery != .opened
    }
}

private struct UnsentLines: View {
    let waiting: Chat.Waiting
    let retry: @MainActor () async -> Void
    let discard: @MainActor () async -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            Text(verbatim: waiting.failure?.text ?? .lcd("WAITING")).font(LCD.small).foregroundStyle(LCD.faint)
            Text(verbatim: waiting.text)
            HStack(spacing: 16) {
                LCDButton(title: .lcd("RETRY"), command: retry)
                LCDButton(title: .lcd("DELETE"), command: discard)
            }
        }
        .padding(.leading, 24)
    }
}

/// A loading failure, with a retry button if a retry can help.
struct RetryLine: View {
    let problem: PagerProblem
    /// True for a single line above existing content.
    var isShort = false
    let retry: @MainActor () async -> Void

    var body: some View {
        if isShort {
            HStack {
                Text(verbatim: problem.text)
                Spacer()
                button
            }
        } else {
            VStack(spacing: 10) {
                Text(verbatim: problem.text).multilineTextAlignment(.center)
                button
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }

    @ViewBuilder private var button: some View {
        if problem != .notFriends { LCDButton(title: .lcd("RETRY"), command: retry) }
    }
}

struct LCDButton: View {
    private enum Action {
        case now(@MainActor () -> Void)
        case command(@MainActor () async -> Void)
    }

    private let title: Text
    private let action: Action

    init(title: Text, action: @escaping @MainActor () -> Void) { (self.title, self.action) = (title, .now(action)) }
    init(title: Text, command: @escaping @MainActor () async -> Void) { (self.title, action) = (title, .command(command)) }

    var body: some View {
        Group {
            switch action {
            case .now(let action): Button(action: action) { label }
            case .command(let command): CommandButton(command) { label }
            }
        }
        .buttonStyle(.plain)
        .border(LCD.ink, width: 2)
    }

    private var label: some View { title.padding(.horizontal, 8).frame(minWidth: 44, minHeight: 44) }
}
