import Foundation

/// The web app manifest, with which a browser can install an app.
struct AppManifest: Encodable {
    struct Icon: Encodable {
        var src: String
        var sizes: String
        var type: String
        var purpose: String
    }

    let id: String
    let startURL: String
    let scope: String
    let name: String
    let shortName: String
    let display = "standalone"
    let backgroundColor: String
    let themeColor: String
    let icons: [Icon]

    /// - Parameter folder: The path of the app's page, `/apps/<name>/`.
    init(title: String, folder: String, launch: LaunchColors) {
        (id, startURL, scope) = (folder, folder, folder)
        (name, shortName) = (title, title)
        (backgroundColor, themeColor) = (LaunchColors.css(launch.light), LaunchColors.css(launch.light))
        icons = [
            Icon(src: "\(folder)icon-192.png", sizes: "192x192", type: "image/png", purpose: "any"),
            Icon(src: "\(folder)icon-512.png", sizes: "512x512", type: "image/png", purpose: "any"),
            Icon(src: "\(folder)mask-512.png", sizes: "512x512", type: "image/png", purpose: "maskable"),
            Icon(src: "\(folder)icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any"),
        ]
    }

    func file() throws -> StaticFiles.File {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return StaticFiles.File(try encoder.encode(self), type: "application/manifest+json")
    }
}
