import Pager2077Client
import Pager2077Wire
import SwiftUI

/// The rows of the screens about a person: options, blocks and reports.
extension Handset {
    func options(of friend: User.ID) -> [Row] {
        [
            Row(id: "keep", title: .lcd("KEEP")) { self.leave() },
            Row(id: "remove", title: .lcd("REMOVE")) {
                self.perform(
                    { try await $0.remove(friend) },
                    then: {
                        self.leave(friend); return nil
                    })
            },
            link("block", "BLOCK", to: .blocking(friend)), report(of: friend),
        ]
    }

    func options(ofBlocked user: User.ID) -> [Row] {
        [
            Row(id: "unblock", title: .lcd("UNBLOCK")) {
                self.perform(
                    { try await $0.unblock(user) },
                    then: {
                        self.leave(); return .unblocked
                    })
            },
            link("pages", "PAGES", to: .chat(user)), report(of: user),
        ]
    }

    private func report(of user: User.ID) -> Row {
        // Without pages on this phone, only the person can be reported.
        link("report", "REPORT", to: .report(.init(user: user, subject: reportable(of: user).isEmpty ? .person : nil)))
    }

    func blocking(of user: User.ID) -> [Row] {
        [
            Row(id: "cancel", title: .lcd("DO NOT BLOCK")) { self.leave() },
            Row(id: "block", title: .lcd("BLOCK")) {
                self.perform(
                    { try await $0.block(user) },
                    then: {
                        self.leaveBlocked(user); return .blocked
                    })
            },
        ]
    }

    /// Leaves the screens about a person who is blocked now, and the request of that person.
    private func leaveBlocked(_ user: User.ID) {
        leave(user)
        if case .request = screen { leave() }
    }

    // MARK: Reports

    /// Maximum pages to choose from.
    private static let reportableCount = 5

    /// Returns the latest pages of a person on this phone, latest first.
    private func reportable(of user: User.ID) -> [Message] {
        pager.chat(with: user).messages.filter { $0.senderId == user }.suffix(Self.reportableCount).reversed()
    }

    /// Returns the text of the reported page; nil for a report of the person.
    func text(of report: Screen.Report) -> String? {
        guard case .message(let id) = report.subject else { return nil }
        return pager.chat(with: report.user).messages.first { $0.id == id }?.text
    }

    func choices(for report: Screen.Report) -> [Row] {
        func next(_ change: (inout Screen.Report) -> Void) -> Screen {
            var next = report
            change(&next)
            return .report(next)
        }
        guard report.subject != nil else {
            return [link("person", "THE PERSON", to: next { $0.subject = .person })]
                + reportable(of: report.user).map { message in
                    Row(id: "\(message.id)", title: Text(verbatim: message.text)) {
                        self.open(next { $0.subject = .message(message.id) })
                    }
                }
        }
        guard let reason = report.reason else {
            return ReportReason.allCases.map { reason in
                Row(id: reason.rawValue, title: reason.text) { self.open(next { $0.reason = reason }) }
            }
        }
        return (pager.isBlocked(report.user) ? [false] : [true, false]).map { blocks in
            Row(id: blocks ? "block" : "only", title: .lcd(blocks ? "REPORT AND BLOCK" : "REPORT")) {
                self.send(report, reason, blocks: blocks)
            }
        }
    }

    private func send(_ report: Screen.Report, _ reason: ReportReason, blocks: Bool) {
        var message: Message.ID?
        if case .message(let id) = report.subject { message = id }
        perform { [message] pager in
            try await pager.report(report.user, message: message, reason: reason, blocks: blocks)
        } then: {
            self.leaveReport()
            if blocks { self.leaveBlocked(report.user) }
            return .reported
        }
    }
}

extension ReportReason {
    @MainActor var text: Text {
        switch self {
        case .spam: .lcd("SPAM")
        case .harassment: .lcd("HARASSMENT")
        case .threat: .lcd("THREATS OR VIOLENCE")
        case .sexual: .lcd("SEXUAL CONTENT")
        case .impersonation: .lcd("PRETENDS TO BE SOMEBODY")
        case .other: .lcd("SOMETHING ELSE")
        }
    }
}
