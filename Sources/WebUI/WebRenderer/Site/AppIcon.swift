import Foundation

/// The icon of an app: the files of `Resources/Icons/<app>`, or of `default` for an app without a drawing of its own.
///
/// `Scripts/draw-icons` renders the pictures from the drawing `icon.svg`.
struct AppIcon: Sendable {
    /// The files that browsers request. `icon-…` has rounded corners; `mask-…` and `touch-…` fill their square, since a launcher cuts them.
    static let fileNames = ["icon.svg", "icon-192.png", "icon-512.png", "mask-512.png", "touch-180.png"]

    private let files: [String: StaticFiles.File]

    /// - Throws: An error if a file of the icon cannot be read.
    init(app: String) throws {
        let all = try StaticFiles.resources().appending(path: "Icons")
        let own = all.appending(path: app)
        let folder = FileManager.default.fileExists(atPath: own.path) ? own : all.appending(path: "default")
        files = try Dictionary(
            uniqueKeysWithValues: Self.fileNames.map { ($0, try StaticFiles.File(contentsOf: folder.appending(path: $0))) })
    }

    /// - Precondition: `name` is one of ``fileNames``.
    func file(_ name: String) -> StaticFiles.File { files[name]! }
}
