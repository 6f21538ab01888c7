import Pager2077Client
import Pager2077Wire
import SwiftUI

/// The steps of a report: its subject, its reason, and the confirmation.
struct ReportScreen: View {
    let handset: Handset
    let report: Screen.Report

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            ListScreen(handset: handset, explanation: explanation)
            if report.reason != nil { ContactLink(pager: handset.pager) }
        }
        .task { await handset.pager.loadContact() }
    }

    private var explanation: [Text] {
        if report.subject == nil { return [.lcd("WHAT DO YOU REPORT?")] }
        guard let reason = report.reason else { return [.lcd("WHY?")] }
        let name = handset.pager.name(of: report.user)
        let page = handset.text(of: report)
        return [
            reason.text, Text("THE OPERATOR OF THIS SERVICE GETS THE REASON AND THE HEX AND NAME OF \(name).", bundle: .module),
            page == nil ? nil : .lcd("AND THIS PAGE:"), page.map { Text(verbatim: $0) }, .lcd("NOBODY IS TOLD WHO REPORTS."),
        ].compactMap(\.self)
    }
}

/// The operator's address; nothing if there is none.
struct ContactLink: View {
    let pager: Pager

    var body: some View {
        if let contact = pager.contact {
            Link(destination: contact) {
                // The address stands apart: localized words make links of addresses.
                HStack(spacing: 6) {
                    Text.lcd("OPERATOR")
                    Text(verbatim: contact.shownAddress).underline().lineLimit(1)
                }
                .frame(minHeight: 44)
            }
            .font(LCD.small)
            .padding(.horizontal, 4)
        }
    }
}

extension URL {
    /// The address without its scheme.
    fileprivate var shownAddress: String {
        let parts = absoluteString.split(separator: ":", maxSplits: 1)
        return parts.last.map { String($0.drop { $0 == "/" }) } ?? absoluteString
    }
}

/// The list of the data that a deletion of the account removes, and of the data that stays.
struct DeletionScreen: View {
    let handset: Handset

    var body: some View { ListScreen(handset: handset, explanation: explanation) }

    private var explanation: [Text] {
        [
            .lcd(
                "ERASED AT THE SERVICE: HEX, NAME, FRIENDS, REQUESTS, BLOCKS, SCORES, PHONES, AND ALL PAGES FROM AND TO YOU, READ OR NOT."
            ),
            .lcd("FRIENDS SEE THAT THE ACCOUNT IS DELETED. PAGES AND NOTIFICATIONS ON THEIR SCREENS STAY UNTIL THEY CLOSE THEM."),
            .lcd("REPORTS THAT YOU SENT STAY, WITHOUT YOU. NOBODY ELSE GETS YOUR HEX."), .lcd("THIS CANNOT BE UNDONE."),
        ]
    }
}
