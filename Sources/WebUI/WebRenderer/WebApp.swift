public import Foundation
public import PlatformKit
public import SwiftUI

/// An app that a box offers to browsers.
public struct WebApp: Sendable {
    /// Lower-case; the part of the path after `/apps/`. Empty for the home screen, which is at `/`.
    let name: String
    /// Shown as the tab's title.
    let title: String
    let icon: AppIcon
    let launch: LaunchColors
    /// Font files by name. The name without extension is what `Font.custom` takes.
    let fonts: [URL]
    let root: @MainActor @Sendable (BrowserPhone, PageSurroundings) -> AnyView

    /// What the app is called where a name is needed.
    var folderName: String { name.isEmpty ? "home" : name }
    /// The address of its page, and of all that is below it.
    var folder: String { name.isEmpty ? "/" : "/apps/\(name)/" }

    /// - Parameters:
    ///   - icon: On the home screen of a phone that has it installed; nil: the first letter of its name.
    ///   - launch: The app's own background, which is shown until its first view is there.
    ///   - fonts: TrueType, OpenType or WOFF2.
    ///   - root: Given the phone, and the client address that rate limits use for calls of this phone to its own box.
    /// - Precondition: `name` is of lower-case letters and digits, and neither `static`, `home` nor `phone`.
    public init<Root: View>(
        name: String, title: String, icon: AppIcon? = nil, launch: LaunchColors = .system, fonts: [URL] = [],
        @ViewBuilder root: @escaping @MainActor @Sendable (Phone, _ address: @escaping @Sendable () -> String) -> Root
    ) {
        precondition(
            name.wholeMatch(of: /[a-z0-9]+/) != nil && !["static", "home", "phone"].contains(name), "no name for an app: \(name)")
        self.name = name
        self.title = title
        self.icon = icon ?? AppIcon(app: name)
        self.launch = launch
        self.fonts = fonts
        self.root = { AnyView(root($0.phone(for: name, on: $1), $0.clientAddress)) }
    }

    /// An app that does not call its own box.
    public init<Root: View>(
        name: String, title: String, icon: AppIcon? = nil, launch: LaunchColors = .system, fonts: [URL] = [],
        @ViewBuilder root: @escaping @MainActor @Sendable (Phone) -> Root
    ) {
        self.init(name: name, title: title, icon: icon, launch: launch, fonts: fonts) { phone, _ in root(phone) }
    }

    /// The screen at `/`, from which the apps are opened.
    public static func home<Root: View>(
        title: String, launch: LaunchColors = .system, @ViewBuilder root: @escaping @MainActor @Sendable (PhoneSettings) -> Root
    ) -> WebApp {
        WebApp(title: title, launch: launch) { phone, _ in AnyView(root(PhoneSettings(phone: phone))) }
    }

    private init(
        title: String, launch: LaunchColors, root: @escaping @MainActor @Sendable (BrowserPhone, PageSurroundings) -> AnyView
    ) {
        name = ""
        self.title = title
        icon = .box
        self.launch = launch
        fonts = []
        self.root = root
    }
}

/// Settings of the phone that a page belongs to, as opposed to those of its apps.
@MainActor
public struct PhoneSettings {
    let phone: BrowserPhone

    /// The language chosen for this phone, as `ko`; nil: what the browser asks for.
    public var language: String? {
        get { phone.language }
        nonmutating set { phone.language = newValue }
    }

    /// Ends all pages of this phone and removes what is kept of it. The browser is a new phone afterwards.
    public func forget() { phone.forget() }
}
