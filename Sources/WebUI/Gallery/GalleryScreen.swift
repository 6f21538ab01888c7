import SwiftUI

/// The list of all pages.
struct GalleryScreen: View {
    var body: some View {
        NavigationStack {
            List {
                Text("Soon")
            }
            .navigationTitle("Gallery")
        }
    }
}
