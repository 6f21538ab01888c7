package import SwiftUI

/// The home screen of a box: its apps, and the settings of this phone.
package struct HomeScreen: View {
    private let apps: [HomeApp]
    private let settings: any HomeSettings
    @SceneStorage("settings") private var showsSettings = false
    @Environment(\.colorScheme) private var colorScheme

    /// The bundle of the texts.
    package static var bundle: Bundle { .module }

    package init(apps: [HomeApp], settings: any HomeSettings) {
        self.apps = apps
        self.settings = settings
    }

    package var body: some View {
        ScrollView {
            VStack(spacing: 0) {
                LazyVGrid(columns: [GridItem(.adaptive(minimum: 76), spacing: 12)], spacing: 22) {
                    ForEach(apps) { AppIcon(app: $0) }
                    settingsIcon
                }
                .padding(.horizontal, 16)
                .padding(.top, 28)
            }
        }
        .background { wallpaper }
        .sheet(isPresented: $showsSettings) { PhoneSettingsScreen(settings: settings) }
    }

    private var settingsIcon: some View {
        Button {
            showsSettings = true
        } label: {
            IconLabel(title: Text("Settings", bundle: .module)) {
                Image(systemName: "gearshape.fill")
                    .font(.system(size: 30))
                    .foregroundStyle(.white)
                    .frame(width: 60, height: 60)
                    .background(Color(white: 0.42), in: RoundedRectangle(cornerRadius: 13))
            }
        }
        .buttonStyle(.plain)
    }

    private var wallpaper: some View {
        LinearGradient(colors: colorScheme == .dark ? Self.night : Self.day, startPoint: .top, endPoint: .bottom)
            .ignoresSafeArea()
    }

    private static let day = [
        Color(red: 0.86, green: 0.93, blue: 1), Color(red: 0.74, green: 0.85, blue: 0.97),
        Color(red: 0.89, green: 0.84, blue: 0.95),
    ]
    private static let night = [
        Color(red: 0.05, green: 0.1, blue: 0.22), Color(red: 0.11, green: 0.24, blue: 0.4),
        Color(red: 0.26, green: 0.2, blue: 0.36),
    ]
}

/// An app on the home screen.
package struct HomeApp: Identifiable, Sendable {
    package let id: String
    let title: String

    /// - Parameter id: The name of the app in its path.
    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}

private struct AppIcon: View {
    let app: HomeApp

    var body: some View {
        VStack(spacing: 0) {
            if let address = URL(string: "/apps/\(app.id)/") {
                Link(destination: address) {
                    // The icon with which browsers install the app.
                    IconLabel(title: Text(app.title)) { AsyncImage(url: address.appending(path: "icon.svg")) }
                }
                .buttonStyle(.plain)
            }
        }
    }
}

private struct IconLabel<Icon: View>: View {
    let title: Text
    @ViewBuilder let icon: Icon

    var body: some View {
        VStack(spacing: 6) {
            icon.frame(width: 60, height: 60).accessibilityHidden(true)
            title
                // As on an iPhone, the names of apps do not scale with the text size.
                .font(.system(size: 12))
                .foregroundStyle(Color.primary)
                .lineLimit(1)
        }
        .frame(maxWidth: .infinity)
    }
}
