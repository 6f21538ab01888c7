/// The bars of one page, from the modifiers of its views. A setting lasts until its view changes it or is unmounted.
@MainActor
final class PageModel {
    weak var element: Element?
    weak var navigation: NavigationModel?
    /// The index of the page in its stack; 0 for the root.
    var number = 0
    let dismissal = DismissAction.Target()
    private var titles: [(owner: ObjectIdentifier, text: String)] = []
    private var settings: [(owner: ObjectIdentifier, change: (inout Settings) -> Void)] = []

    struct Settings {
        var displayMode = NavigationBarItem.TitleDisplayMode.automatic
        var hidesBar = false
        var hidesTabBar = false
        var hidesBackButton = false
    }

    var title: String { titles.last?.text ?? "" }

    func set(title: String, by owner: AnyObject, in host: ViewHost) {
        let owner = ObjectIdentifier(owner)
        if let index = titles.firstIndex(where: { $0.owner == owner }) {
            guard titles[index].text != title else { return }
            titles[index].text = title
        } else {
            titles.append((owner, title))
        }
        changed(in: host)
    }

    func set(by owner: AnyObject, in host: ViewHost, _ change: @escaping (inout Settings) -> Void) {
        let owner = ObjectIdentifier(owner)
        if let index = settings.firstIndex(where: { $0.owner == owner }) {
            settings[index].change = change
        } else {
            settings.append((owner, change))
        }
        changed(in: host)
    }

    func forget(_ owner: AnyObject, in host: ViewHost) {
        let owner = ObjectIdentifier(owner)
        titles.removeAll { $0.owner == owner }
        settings.removeAll { $0.owner == owner }
        changed(in: host)
    }

    private func changed(in host: ViewHost) {
        guard let navigation else { return }
        host.afterRound(of: navigation) { [weak navigation] in navigation?.updateLayout() }
    }

    /// Updates the attributes of the page.
    ///
    /// - Returns: True if the title is large, which pages above inherit.
    func update(below: PageModel?, inheritsLarge: Bool) -> Bool {
        var settings = Settings()
        for setting in self.settings { setting.change(&settings) }
        let isLarge = settings.displayMode == .large || settings.displayMode == .automatic && inheritsLarge
        guard let element else { return isLarge }
        element.set(.title, title.isEmpty ? nil : .text(title))
        element.set(.large, isLarge ? .on : nil)
        element.set(.bar, settings.hidesBar ? .off : nil)
        element.set(.tabBar, settings.hidesTabBar ? .off : nil)
        element.set(.noBack, settings.hidesBackButton ? .on : nil)
        element.set(.back, below.map { .text($0.title.isEmpty ? navigation?.backWord ?? "" : $0.title) })
        return isLarge
    }
}

/// The scope of a modifier that configures the bars of its page.
final class PageScope: Node {
    var page: PageModel?
    override func willUnmount() { page?.forget(self, in: host) }
}

private enum PageKey: LocalKey { static var defaultValue: PageModel? { nil } }

extension EnvironmentValues {
    var page: PageModel? {
        get { self[PageKey.self] }
        set { self[PageKey.self] = newValue }
    }
}

public enum NavigationBarItem {
    public enum TitleDisplayMode: Sendable { case automatic, inline, large }
}

extension View {
    /// Configures the bars of the enclosing page.
    private func page(_ update: @escaping @MainActor (PageModel, PageScope, EnvironmentValues) -> Void) -> some View {
        rendering { content, context in
            let scope = context.scope(PageScope.init) { _, inner in content(inner) }
            guard let page = context.environment.page else { return }
            scope.page = page
            update(page, scope, context.environment)
        }
    }

    public func navigationTitle(_ title: Text) -> some View {
        page { page, scope, environment in page.set(title: title.string(in: environment), by: scope, in: scope.host) }
    }
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }
    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(Text(title)) }

    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        page { page, scope, _ in page.set(by: scope, in: scope.host) { $0.displayMode = displayMode } }
    }
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View {
        page { page, scope, _ in page.set(by: scope, in: scope.host) { $0.hidesBackButton = hidesBackButton } }
    }
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        page { page, scope, _ in
            page.set(by: scope, in: scope.host) {
                if bars.isEmpty || bars.contains(.navigationBar) || bars.contains(.automatic) {
                    $0.hidesBar = visibility == .hidden
                }
                if bars.contains(.tabBar) { $0.hidesTabBar = visibility == .hidden }
            }
        }
    }
    public func toolbarBackground<S: ShapeStyle>(_ style: S, for bars: ToolbarPlacement...) -> some View { self }
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View { self }
    public func toolbarColorScheme(_ colorScheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View { self }
}

public struct ToolbarPlacement: Hashable, Sendable {
    private let name: String
    public static let automatic = ToolbarPlacement(name: "automatic")
    public static let navigationBar = ToolbarPlacement(name: "navigationBar")
    public static let bottomBar = ToolbarPlacement(name: "bottomBar")
    public static let tabBar = ToolbarPlacement(name: "tabBar")
}
