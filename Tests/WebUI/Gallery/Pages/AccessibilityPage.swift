import SwiftUI

/// Labels, values, roles and actions for screen readers.
struct AccessibilityPage: View {
    @State private var rating = 3
    @State private var isFavorite = false
    @State private var hidesButton = true

    var body: some View {
        List {
            Section("Labels") {
                Button {
                    isFavorite.toggle()
                } label: {
                    Image(systemName: isFavorite ? "heart.fill" : "heart")
                }
                .accessibilityLabel("Favorite")
                .accessibilityValue(isFavorite ? "yes" : "no")
                .accessibilityHint("Adds this page to your favorites")
                Image(systemName: "star.fill").foregroundStyle(.yellow).accessibilityLabel("Star")
                Text("5 km").accessibilityLabel("Five kilometres")
            }
            Section("Headings") {
                Text("First level").font(.title).accessibilityHeading(.h1)
                Text("Second level").font(.title2).accessibilityHeading(.h2)
                Text("A heading by trait").font(.headline).accessibilityAddTraits(.isHeader)
            }
            Section("Hidden and chosen") {
                Text("Hidden from assistive technology").accessibilityHidden(true)
                Toggle("Hide the button", isOn: $hidesButton)
                HStack { Button("Sometimes hidden") {} }.accessibilityHidden(hidesButton)
                Text("Found by its identifier").accessibilityIdentifier("by-identifier")
                Text("Chosen").accessibilityAddTraits(.isSelected)
            }
            Section("Elements") {
                stars
                HStack {
                    Text("Together")
                    Text("as one").foregroundStyle(.secondary)
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    private var stars: some View {
        HStack {
            ForEach(1..<6, id: \.self) { number in
                Button {
                    rating = number
                } label: {
                    Image(systemName: number <= rating ? "star.fill" : "star")
                }
                .buttonStyle(.borderless)
                .accessibilityLabel("\(number) stars")
                .accessibilityAddTraits(number == rating ? .isSelected : [])
            }
            Spacer()
            Text("\(rating) of 5").accessibilityIdentifier("rating")
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel("Rating")
    }
}
