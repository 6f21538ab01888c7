package import Foundation
package import PlatformKit
package import SwiftUI

/// An app that a box offers to browsers.
package struct WebApp: Sendable {
    /// The lower-case name in the path `/apps/<name>/`. Empty for the home screen, which is at `/`.
    let name: String
    /// The title of the browser tab.
    let title: String
    let launch: LaunchColors
    /// The bundle with the languages of the app; nil for any language.
    let bundle: Bundle?
    /// The font files. `Font.custom` takes a file name without extension.
    let fonts: [URL]
    let root: @MainActor @Sendable (BrowserPhone, PageSurroundings) -> AnyView

    /// The name of the app in paths of files.
    var folderName: String { name.isEmpty ? "home" : name }
    /// The path of the app's page.
    var folder: String { name.isEmpty ? "/" : "/apps/\(name)/" }

    /// - Parameters:
    ///   - launch: The background until the first view appears.
    ///   - bundle: The bundle of the app's texts. Its languages apply to all texts on the app's screens, also of other bundles.
    ///   - fonts: Font files in TrueType, OpenType or WOFF2 format.
    ///   - root: Creates the root view from the phone and the client address that rate limits use for in-process calls of this phone.
    /// - Precondition: `name` is of lower-case letters and digits, and neither `static`, `home`, `phone` nor `default`.
    package init<Root: View>(
        name: String, title: String, launch: LaunchColors = .system, bundle: Bundle? = nil, fonts: [URL] = [],
        @ViewBuilder root: @escaping @MainActor @Sendable (Phone, _ address: @escaping @Sendable () -> String) -> Root
    ) {
        self.init(
            name: name, title: title, launch: launch, bundle: bundle, fonts: fonts,
            view: { phone, page in
                AnyView(root(phone.phone(for: name, on: page), phone.clientAddress))
            })
    }

    /// Creates an app that does not call its own box.
    package init<Root: View>(
        name: String, title: String, launch: LaunchColors = .system, bundle: Bundle? = nil, fonts: [URL] = [],
        @ViewBuilder root: @escaping @MainActor @Sendable (Phone) -> Root
    ) {
        self.init(name: name, title: title, launch: launch, bundle: bundle, fonts: fonts) { phone, _ in root(phone) }
    }

    /// Creates an app that opens streams to its page directly, such as the gallery.
    package init<Root: View>(
        name: String, title: String, @ViewBuilder streaming root: @escaping @MainActor @Sendable (Phone, PageStreamSource) -> Root
    ) {
        self.init(
            name: name, title: title, launch: .system, bundle: nil, fonts: [],
            view: { phone, page in
                AnyView(root(phone.phone(for: name, on: page), PageStreamSource(phone: phone, app: name)))
            })
    }

    private init(
        name: String, title: String, launch: LaunchColors, bundle: Bundle?, fonts: [URL],
        view root: @escaping @MainActor @Sendable (BrowserPhone, PageSurroundings) -> AnyView
    ) {
        precondition(
            name.wholeMatch(of: /[a-z0-9]+/) != nil && !["static", "home", "phone", "default"].contains(name),
            "no name for an app: \(name)")
        self.name = name
        self.title = title
        self.launch = launch
        self.bundle = bundle
        self.fonts = fonts
        self.root = root
    }

    /// Creates the home screen at `/`.
    package static func home<Root: View>(
        title: String, launch: LaunchColors = .system, bundle: Bundle? = nil,
        @ViewBuilder root: @escaping @MainActor @Sendable (PhoneSettings) -> Root
    ) -> WebApp {
        WebApp(title: title, launch: launch, bundle: bundle) { phone, _ in AnyView(root(PhoneSettings(phone: phone))) }
    }

    private init(
        title: String, launch: LaunchColors, bundle: Bundle?,
        root: @escaping @MainActor @Sendable (BrowserPhone, PageSurroundings) -> AnyView
    ) {
        name = ""
        self.title = title
        self.launch = launch
        self.bundle = bundle
        fonts = []
        self.root = root
    }
}

/// The settings of a phone, as opposed to those of its apps.
@MainActor
package struct PhoneSettings {
    let phone: BrowserPhone

    /// The language of this phone, as `ko`; nil for the browser's.
    package var language: String? {
        get { phone.language }
        nonmutating set { phone.language = newValue }
    }

    /// Closes all pages of this phone and deletes its data. The browser is a new phone afterwards.
    package func forget() { phone.forget() }
}
