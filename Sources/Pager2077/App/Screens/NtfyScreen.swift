import Pager2077Client
import SwiftUI

/// The screen for notifications through the ntfy app: the address to subscribe to, and the rows that turn ntfy on and off.
struct NtfyScreen: View {
    let handset: Handset

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            VStack(alignment: .leading, spacing: 6) {
                if let address = handset.pager.notifications.ntfyAddress {
                    Text.lcd("SUBSCRIBE TO THIS ADDRESS IN THE NTFY APP. WHOEVER KNOWS IT CAN READ YOUR PAGES.")
                    Link(destination: address) {
                        Text(verbatim: address.absoluteString).underline().frame(minHeight: 44, alignment: .leading)
                    }
                    .accessibilityIdentifier("ntfy-address")
                } else {
                    Text.lcd("THE NTFY APP SHOWS YOUR PAGES WHILE THE PAGER IS CLOSED. INSTALL IT ON THIS PHONE FIRST.")
                }
            }
            .font(LCD.small)
            .padding(.horizontal, 4)
            ListScreen(handset: handset)
        }
    }
}
