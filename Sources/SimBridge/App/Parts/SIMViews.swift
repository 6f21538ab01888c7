import SimBridgeWire
import SwiftUI

/// A SIM card of the host, on one line.
struct SIMLine: View {
    let sim: SIMCard
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "simcard").foregroundStyle(palette.onSurfaceVariant).frame(width: Metrics.statusIcon)
                .accessibilityHidden(true)
            // One text, so that large letters break it between its words.
            (Text("SIM \(sim.slot)", bundle: .module).fontWeight(.semibold) + Text(verbatim: " ") + Text(verbatim: sim.carrier)
                + Text(verbatim: "  ") + Text(verbatim: sim.number ?? "").foregroundStyle(palette.onSurfaceVariant))
                .font(.subheadline)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .accessibilityElement(children: .combine)
    }
}

/// The choice of the host's card.
struct SIMSelector: View {
    let sims: [SIMCard]
    @Binding var sim: Int
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 8) {
            // A host that has not told yet has two, as far as the relay is concerned.
            if sims.isEmpty {
                ForEach(Array(TextCommand.sims), id: \.self) { choice($0, carrier: nil) }
            } else {
                ForEach(sims) { choice($0.slot, carrier: $0.carrier) }
            }
        }
        .onChange(of: sims, initial: true) {
            if let first = sims.first, !sims.contains(where: { $0.slot == sim }) { sim = first.slot }
        }
    }

    private func choice(_ slot: Int, carrier: String?) -> some View {
        let isChosen = slot == sim
        return Button {
            sim = slot
        } label: {
            HStack(spacing: 8) {
                Image(systemName: isChosen ? "checkmark" : "simcard").font(.footnote).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 0) {
                    Text("SIM \(slot)", bundle: .module).font(.subheadline.weight(.semibold)).lineLimit(1)
                    if let carrier, !carrier.isEmpty { Text(verbatim: carrier).font(.caption).lineLimit(1) }
                }
            }
            .foregroundStyle(isChosen ? palette.onContainer : palette.onSurfaceVariant)
            .padding(.horizontal, 12)
            .frame(maxWidth: .infinity, minHeight: 44)
            .background(isChosen ? palette.container : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
}
