import SwiftUI

/// The list of all pages.
struct GalleryScreen: View {
    var body: some View {
        NavigationStack {
            List {
                ForEach(GallerySection.all) { section in
                    Section(section.title) {
                        ForEach(section.pages) { NavigationLink($0.title, value: $0) }
                    }
                }
            }
            .navigationTitle("Gallery")
            .navigationDestination(for: GalleryPage.self) { page in
                page.screen
                    .navigationTitle(page.title)
                    .navigationBarTitleDisplayMode(.inline)
            }
        }
    }
}
