import SwiftUI

/// The list of all pages. A link opens the page that its fragment names.
struct GalleryScreen: View {
    @State private var path = NavigationPath()

    var body: some View {
        NavigationStack(path: $path) {
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
        .onOpenURL { url in
            guard let page = url.fragment.flatMap(GalleryPage.init) else { return }
            path = NavigationPath([page])
        }
    }
}
