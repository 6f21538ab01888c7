public import SwiftUI

/// The home screen of a box: its apps, and the settings of this phone.
public struct HomeScreen: View {
    private let apps: [HomeApp]
    private let settings: any HomeSettings
    @SceneStorage("settings") private var showsSettings = false
    @Environment(\.colorScheme) private var colorScheme

    public init(apps: [HomeApp], settings: any HomeSettings) {
        self.apps = apps
        self.settings = settings
    }

    public var body: some View {
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
            IconLabel(
                title: Text("Settings", bundle: .module), symbol: "gearshape.fill",
                colors: [Color(white: 0.62), Color(white: 0.42)])
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
public struct HomeApp: Identifiable, Sendable {
    public let id: String
    let title: String
    let symbol: String
    let colors: [Color]

    /// - Parameters:
    ///   - id: The name of the app in its path.
    ///   - symbol: The symbol of the icon.
    ///   - colors: The gradient of the icon, from top to bottom.
    public init(id: String, title: String, symbol: String, colors: [Color]) {
        self.id = id
        self.title = title
        self.symbol = symbol
        self.colors = colors
    }
}

private struct AppIcon: View {
    let app: HomeApp

    var body: some View {
        if let address = URL(string: "/apps/\(app.id)/") {
            Link(destination: address) { IconLabel(title: Text(app.title), symbol: app.symbol, colors: app.colors) }
                .buttonStyle(.plain)
        }
    }
}

private struct IconLabel: View {
    let title: Text
    let symbol: String
    let colors: [Color]

    var body: some View {
        VStack(spacing: 6) {
            Image(systemName: symbol)
                .font(.system(size: 30))
                .foregroundStyle(.white)
                .accessibilityHidden(true)
                .frame(width: 60, height: 60)
                .background(
                    LinearGradient(colors: colors, startPoint: .top, endPoint: .bottom), in: RoundedRectangle(cornerRadius: 14))
            title
                // As on an iPhone, the names of apps do not scale with the text size.
                .font(.system(size: 12))
                .foregroundStyle(Color.primary)
                .lineLimit(1)
        }
        .frame(maxWidth: .infinity)
    }
}
