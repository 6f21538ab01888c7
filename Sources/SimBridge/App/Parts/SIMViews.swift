import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// A row with a SIM card of the host.
struct SIMLine: View {
    let sim: SIMCard
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "simcard").foregroundStyle(palette.onSurfaceVariant).frame(width: Metrics.statusIcon)
                .accessibilityHidden(true)
            // A single text, so that large type wraps between words.
            (Text("SIM \(sim.slot)", bundle: .module).fontWeight(.semibold) + Text(verbatim: " ") + Text(verbatim: sim.carrier)
                + Text(verbatim: "  ") + Text(verbatim: sim.number ?? "").foregroundStyle(palette.onSurfaceVariant))
                .font(.subheadline)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .accessibilityElement(children: .combine)
    }
}

/// A picker for the host's SIM cards.
struct SIMSelector: View {
    let bridge: Bridge
    /// The slot of the selected card; nil while it is unknown.
    let sim: Int?
    /// The slot of the card that the user has chosen; nil if none.
    @Binding var chosen: Int?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 6) {
            HStack(spacing: 8) {
                // Until the host has reported its cards, offer every slot that the relay accepts.
                if bridge.knownSIMs.isEmpty {
                    ForEach(Array(TextCommand.sims), id: \.self) { choice($0, carrier: nil) }
                } else {
                    ForEach(bridge.knownSIMs) { choice($0.slot, carrier: $0.carrier) }
                }
            }
            if sim == nil {
                Text("Choose the SIM card for this number.", bundle: .module)
                    .font(.footnote)
                    .foregroundStyle(palette.onSurfaceVariant)
                    .announces(String(localized: "Choose the SIM card for this number.", bundle: .module))
            }
        }
    }

    private func choice(_ slot: Int, carrier: String?) -> some View {
        let isSelected = slot == sim
        return Button {
            chosen = slot
        } label: {
            HStack(spacing: 8) {
                Image(systemName: isSelected ? "checkmark" : "simcard").font(.footnote).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 0) {
                    Text("SIM \(slot)", bundle: .module).font(.subheadline.weight(.semibold)).lineLimit(1)
                    if let carrier, !carrier.isEmpty { Text(verbatim: carrier).font(.caption).lineLimit(1) }
                }
            }
            .foregroundStyle(isSelected ? palette.onContainer : palette.onSurfaceVariant)
            .padding(.horizontal, 12)
            .frame(maxWidth: .infinity, minHeight: Metrics.control)
            .background(isSelected ? palette.container : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isSelected ? .isSelected : [])
    }
}
