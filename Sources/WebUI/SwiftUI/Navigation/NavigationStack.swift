/// A stack of pages.
public struct NavigationStack<Data, Root: View>: View {
    private let root: Root
    private let bind: @MainActor (NavigationModel) -> Void
    private let ownsPath: Bool
    @State private var model = NavigationModelBox()
    @State private var ownPath = NavigationPath()

    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
        bind = { _ in }
        ownsPath = true
    }

    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
        bind = { $0.bind(path) }
        ownsPath = false
    }

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
        bind = { model in
            model.values = { path.wrappedValue.map { AnyHashable($0) } }
            model.append = { value in
                if let value = value.base as? Data.Element { path.wrappedValue.append(value) }
            }
            model.truncatePath = { count in path.wrappedValue.removeLast(path.wrappedValue.count - count) }
        }
        ownsPath = false
    }

    public var body: some View {
        Primitive { context in
            let model = model.model
            if ownsPath { model.bind($ownPath) } else { bind(model) }
            model.backWord = SystemWords(languages: context.environment.languages).back
            // Of several stacks in a tab, the first one counts.
            if let stack = context.environment.tabStack, stack.navigation == nil { stack.navigation = model }
            context.element(.nav, layout: .filling) { inner in
                var inner = inner
                inner.environment.navigation = model
                inner.environment.tabStack = nil
                var pages: [PageModel] = []
                pages.append(inner.page(0, key: 0, model) { Root._render(root, $0) })
                for (index, entry) in model.entries().enumerated() {
                    let number = index + 1
                    switch entry {
                    case .value(let value):
                        pages.append(
                            inner.page(number, key: PageID(depth: number, value: value), model) { page in
                                page.deferred { model.destination(for: value, at: number) ?? AnyView(MissingDestination()) }
                            })
                    case .presented(let presented):
                        pages.append(
                            inner.page(number, key: presented.key, model) { page in
                                page.deferred {
                                    let _ = presented.readers.register()
                                    presented.content()
                                }
                            })
                    }
                }
                model.pages = pages
            }
            context.host.afterRound(of: model) { [weak model] in model?.updateLayout() }
        }
    }
}

/// A holder that creates the model on first use, so that later values of the view create none.
private final class NavigationModelBox {
    @MainActor lazy var model = NavigationModel()
    nonisolated init() {}
}

private struct PageID: Hashable {
    var depth: Int
    var value: AnyHashable
}

/// The page for a value without a destination.
private struct MissingDestination: View {
    var body: some View {
        Image(systemName: "exclamationmark.triangle.fill").foregroundStyle(.yellow).accessibilityLabel("No destination")
    }
}

extension NavigationModel {
    fileprivate func bind(_ path: Binding<NavigationPath>) {
        values = { path.wrappedValue.values }
        append = { path.wrappedValue.values.append($0) }
        truncatePath = { count in path.wrappedValue.removeLast(path.wrappedValue.count - count) }
    }
}

/// The scope of a page, which owns its model.
private final class PageHolder: Node {
    let page = PageModel()
}

extension _RenderContext {
    /// Adds one page of a stack.
    fileprivate func page(
        _ number: Int, key: some Hashable, _ model: NavigationModel, content: @escaping @MainActor (_RenderContext) -> Void
    ) -> PageModel {
        let holder = scope(PageHolder.init, id: ID(key)) { holder, scope in
            let page = holder.page
            page.navigation = model
            page.number = number
            page.dismissal.perform = { [weak model] in model?.pop(to: number) }
            var outer = scope
            if number > 0 { outer.environment.dismiss = DismissAction(page.dismissal) }
            let dismissal = page.dismissal
            outer.element(
                .page, attributes: page.element?.attributes.only(.title, .large, .bar, .tabBar, .noBack, .back) ?? Attributes(),
                handlers: number > 0 ? [.back: { _ in dismissal.perform() }] : [:], layout: .filling, place: Place()
            ) { inner in
                page.element = inner.children.node as? Element
                var inner = inner
                inner.environment.page = page
                content(inner)
            }
        }
        return holder.page
    }
}
