/// A control that opens a URL.
public struct Link<Label: View>: View {
    let destination: URL
    let label: Label

    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        let target = LinkTarget(view.destination, in: context.environment, allowsPath: true)
        context.button(.link, attributes: target.attributes, action: target.action) { Label._render(view.label, $0) }
    }
}

extension Link where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: URL) { self.init(destination: destination) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) { self.init(destination: destination) { Text(title) } }
}

/// The way in which a link opens its URL.
@MainActor
struct LinkTarget {
    /// The address that the page opens by itself; empty if `action` opens the URL.
    private(set) var attributes = Attributes()
    /// Opens the URL with the action of the environment; nil if the page opens it, or nothing does.
    private(set) var action: (@MainActor () -> Void)?

    /// True if nothing opens the URL.
    var isDead: Bool { attributes.isEmpty && action == nil }

    /// The URL schemes that a browser opens outside the app. Other schemes, such as `javascript` and `data`, never reach the page.
    private static let schemes: Set = ["http", "https", "mailto", "tel", "sms"]

    /// - Parameter allowsPath: True if a URL without a scheme is a path of this server.
    init(_ url: URL, in environment: EnvironmentValues, allowsPath: Bool = false) {
        let openURL = environment.openURL
        if openURL.isCustom {
            action = { openURL(url) }
        } else if url.scheme.map({ Self.schemes.contains($0.lowercased()) }) ?? allowsPath {
            attributes[.href] = .text(url.relativeString)
        }
    }
}
