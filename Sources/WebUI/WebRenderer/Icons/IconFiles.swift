import Foundation
import Synchronization

/// The icon of an app in the sizes that browsers ask for, each drawn when it is asked for first.
final class IconFiles: Sendable {
    private let icon: AppIcon
    private let drawn = Mutex<[String: StaticFiles.File]>([:])

    init(_ icon: AppIcon) { self.icon = icon }

    /// Pictures by the name of their file.
    private static let pictures: [String: (size: Int, isRounded: Bool)] = [
        "icon-192.png": (192, true), "icon-512.png": (512, true),
        // For whoever cuts it to a shape of their own.
        "mask-512.png": (512, false), "touch-180.png": (180, false),
    ]

    static let names = pictures.keys + ["icon.svg"]

    /// - Parameter name: One of ``names``.
    func file(_ name: String) -> StaticFiles.File {
        drawn.withLock { drawn in
            if let file = drawn[name] { return file }
            let file =
                Self.pictures[name].map { StaticFiles.File(icon.png(size: $0.size, isRounded: $0.isRounded), type: "image/png") }
                ?? StaticFiles.File(Data(icon.svg.utf8), type: "image/svg+xml")
            drawn[name] = file
            return file
        }
    }
}
