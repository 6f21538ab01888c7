/// The link between a scrolling view and the binding of its `scrollPosition`.
@MainActor
final class ScrollPositionModel {
    /// The anchor at which the bound view is shown; nil for the top.
    var anchor: UnitPoint?
    /// The scope that contains the scrolling view.
    fileprivate weak var scope: Node?
    /// Takes the id of the view that the user has scrolled to. Returns false for an id of another type.
    fileprivate var report: (ExplicitID) -> Bool = { _ in true }

    /// Handles a report of the page: the element with this id is at the anchor.
    func take(_ number: Double) {
        guard let scope, let element = Self.find(number, in: scope.children) else { return }
        var node: Node? = element
        while let current = node, current !== scope {
            if let id = current.key.id, report(id) { return }
            node = current.parent
        }
    }

    private static func find(_ number: Double, in nodes: [Node]) -> Element? {
        for node in nodes {
            if let element = node as? Element, Double(element.id) == number { return element }
            if let element = find(number, in: node.children) { return element }
        }
        return nil
    }
}

private final class PositionScope<Value: Hashable>: Node {
    let model = ScrollPositionModel()
    /// The last value that the page or the app has set.
    var last: Value?

    func update(_ binding: Binding<Value?>) {
        model.scope = self
        model.report = { [weak self] id in
            guard let value = (id as? ID<Value>)?.value else { return false }
            guard let self, value != last else { return true }
            last = value
            binding.wrappedValue = value
            return true
        }
        let wanted = binding.wrappedValue
        guard wanted != last else { return }
        last = wanted
        guard let wanted else { return }
        // Scrolls after the evaluation, which may create the view.
        host.afterEvaluation { [weak self] in self?.scroll(to: SwiftUI.ID(wanted), anchor: self?.model.anchor ?? .top) }
    }
}

extension Node {
    /// Scrolls the nearest scrolling view around the first element below that has this id.
    func scroll(to id: ExplicitID, anchor: UnitPoint?) {
        guard let node = Self.find(id, in: children) else {
            guard let gap = Self.gap(of: id, in: children) else { return }
            gap.create()
            // Scrolls again after the evaluation that creates the row.
            return host.afterEvaluation { [weak self] in self?.scroll(to: id, anchor: anchor) }
        }
        guard let target = Self.element(in: node) else { return }
        var around = target.container
        while let element = around {
            if element.kind == .scroll || element.kind == .list {
                return element.scroll(to: target, edge: anchor?.edge)
            }
            around = element.container
        }
    }

    private static func find(_ id: ExplicitID, in nodes: [Node]) -> Node? {
        for node in nodes {
            if node.key.id == id, !(node is GapScope) { return node }
            if let found = find(id, in: node.children) { return found }
        }
        return nil
    }

    private static func gap(of id: ExplicitID, in nodes: [Node]) -> GapScope? {
        for node in nodes {
            if let gap = node as? GapScope, gap.contains(id) { return gap }
            if let found = gap(of: id, in: node.children) { return found }
        }
        return nil
    }

    private static func element(in node: Node) -> Element? {
        if let element = node as? Element { return element }
        for child in node.children { if let element = element(in: child) { return element } }
        return nil
    }
}

extension UnitPoint {
    /// The vertical edge in the page's protocol: `start`, `center` or `end`.
    var edge: String { y >= 0.75 ? "end" : y > 0.25 ? "center" : "start" }
}

private enum ScrollPositionKey: LocalKey { static var defaultValue: ScrollPositionModel? { nil } }

extension EnvironmentValues {
    var scrollPosition: ScrollPositionModel? {
        get { self[ScrollPositionKey.self] }
        set { self[ScrollPositionKey.self] = newValue }
    }
}

extension View {
    /// Binds the id of the view at the anchor, among the views of a ``scrollTargetLayout(isEnabled:)``.
    public func scrollPosition(id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil) -> some View {
        positioned(id, anchor)
    }

    private func positioned<ID: Hashable>(_ id: Binding<ID?>, _ anchor: UnitPoint?) -> some View {
        rendering { content, context in
            context.scope(PositionScope<ID>.init) { scope, inner in
                scope.model.anchor = anchor
                scope.update(id)
                var inner = inner
                inner.environment.scrollPosition = scope.model
                content(inner)
            }
        }
    }

    /// Makes the views of a stack the targets of `scrollPosition`.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { attribute(.targets, isEnabled ? .on : nil) }
}
