/// The scope of `onAppear`, `onDisappear` and `task`.
///
/// In a lazy container the scope waits until its row is visible for the first time. Then the row counts as shown until its removal.
final class LifetimeScope: Node {
    struct Actions {
        var appear: (@MainActor () -> Void)?
        var disappear: (@MainActor () -> Void)?
        var priority: TaskPriority?
        var task: (@Sendable () async -> Void)?
    }
    private var actions = Actions()
    private(set) var hasAppeared = false
    private var task: Task<Void, Never>?
    private var taskID: AnyHashable?

    func update(_ actions: Actions, taskID: AnyHashable? = nil) {
        self.actions = actions
        let isRestarted = hasAppeared && taskID != self.taskID
        self.taskID = taskID
        if !hasAppeared {
            host.afterEvaluation { [weak self] in self?.appear() }
        } else if isRestarted {
            host.afterEvaluation { [weak self] in
                self?.task?.cancel()
                self?.startTask()
            }
        }
    }

    private func appear() {
        guard isMounted, isShown, !hasAppeared, isVisible else { return }
        hasAppeared = true
        actions.appear?()
        startTask()
    }

    /// True if the scope has no rows, or one of them has been visible. Otherwise the rows report their visibility later.
    private var isVisible: Bool {
        guard host.awaitsRowVisibility else { return true }
        let rows = rows
        guard !rows.isEmpty, !rows.contains(where: \.isSeen) else { return true }
        for row in rows { row.awaitVisibility() }
        return false
    }

    /// The rows of a lazy container inside the scope, or the row around it.
    private var rows: [Element] {
        guard container?.isLazy == true else { return row.map { [$0] } ?? [] }
        var rows: [Element] = []
        Element.visit(children) { if !$0.kind.isPresentation { rows.append($0) } }
        return rows
    }

    private func startTask() {
        guard hasAppeared, let work = actions.task else { return }
        task = Task(priority: actions.priority) { await work() }
    }

    private func disappear() {
        guard hasAppeared else { return }
        hasAppeared = false
        task?.cancel()
        task = nil
        if let disappear = actions.disappear { host.afterEvaluation(disappear) }
    }

    override func willUnmount() {
        disappear()
        actions = Actions()
    }

    deinit { task?.cancel() }

    /// Runs the due actions after an enclosing page was covered or shown, a tab was hidden or selected, or a row became visible.
    func visibilityChanged() {
        if isShown {
            host.afterEvaluation { [weak self] in self?.appear() }
        } else {
            disappear()
        }
    }
}

extension Element {
    /// Covers or uncovers this element. Its content disappears or appears.
    func setCovered(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        Self.notifyScopes(children)
    }

    /// Makes the page report once when this row becomes visible.
    func awaitVisibility() {
        guard handlers[.appear] == nil else { return }
        take(.appear) { [weak self] _ in self?.cameIntoSight() }
    }

    private func cameIntoSight() {
        isSeen = true
        take(.appear, nil)
        Self.notifyScopes(children)
        for scope in parent?.lifetimes ?? [] { scope.visibilityChanged() }
    }

    private static func notifyScopes(_ nodes: [Node]) {
        for node in nodes {
            (node as? LifetimeScope)?.visibilityChanged()
            if let element = node as? Element, element.isCovered || element.kind.isPresentation { continue }
            notifyScopes(node.children)
        }
    }
}

extension Node {
    /// The enclosing row of a lazy container; nil outside of one, and in presented content.
    fileprivate var row: Element? {
        var element = container
        while let current = element, !current.kind.isPresentation {
            element = current.container
            if element?.isLazy == true { return current }
        }
        return nil
    }

    /// The lifetime scopes up to the enclosing element, from the inside out.
    var lifetimes: [LifetimeScope] {
        var scopes: [LifetimeScope] = []
        var node: Node? = self
        while let current = node, !(current is Element) {
            if let scope = current as? LifetimeScope { scopes.append(scope) }
            node = current.parent
        }
        return scopes
    }
}

extension View {
    private func lifetime(_ actions: LifetimeScope.Actions, id: AnyHashable? = nil) -> some View {
        rendering { content, context in
            let scope = context.scope(LifetimeScope.init) { _, inner in content(inner) }
            scope.update(actions, taskID: id)
        }
    }

    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        let action = action.map { action in { @MainActor in action() } }
        return lifetime(.init(appear: action))
    }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        let action = action.map { action in { @MainActor in action() } }
        return lifetime(.init(disappear: action))
    }
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        lifetime(.init(priority: priority, task: action))
    }
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        lifetime(.init(priority: priority, task: action), id: AnyHashable(EquatableBox(value)))
    }
}

/// A hashable wrapper of an equatable value, for comparisons only.
private struct EquatableBox<Value: Equatable>: Hashable {
    let value: Value
    init(_ value: Value) { self.value = value }
    func hash(into hasher: inout Hasher) {}
}
