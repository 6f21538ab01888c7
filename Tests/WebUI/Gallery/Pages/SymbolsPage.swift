import SwiftUI

/// All available symbols.
struct SymbolsPage: View {
    @State private var chosen = "none"

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Text("Chosen: \(chosen)")
                    .font(.footnote)
                    .foregroundStyle(.secondary)
                    .accessibilityIdentifier("chosen")
                LazyVGrid(columns: [GridItem(.adaptive(minimum: 100), spacing: 8)], spacing: 16) {
                    ForEach(SymbolNames.all, id: \.self) { name in
                        Button {
                            chosen = name
                        } label: {
                            SymbolTile(name: name)
                        }
                        .buttonStyle(.plain)
                    }
                }
            }
            .padding()
        }
    }
}

/// One symbol and its name.
private struct SymbolTile: View {
    let name: String

    var body: some View {
        VStack(spacing: 6) {
            Image(systemName: name)
                .font(.title)
                .frame(height: 36)
                .accessibilityHidden(true)
            Text(name)
                .font(.caption2)
                .foregroundStyle(.secondary)
                .multilineTextAlignment(.center)
        }
        .frame(maxWidth: .infinity)
    }
}
