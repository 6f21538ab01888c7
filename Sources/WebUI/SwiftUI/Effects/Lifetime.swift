/// A scope that does something when its views come and go, or when a person can see them and not.
final class LifetimeScope: Node {
    struct Actions {
        var appear: (@MainActor () -> Void)?
        var disappear: (@MainActor () -> Void)?
        var priority: TaskPriority?
        var task: (@Sendable () async -> Void)?
    }
    private var actions = Actions()
    private var hasAppeared = false
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
        guard isMounted, isShown, !hasAppeared else { return }
        hasAppeared = true
        actions.appear?()
        startTask()
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

    /// Called when a page around it was covered or shown, a tab hidden or chosen.
    func visibilityChanged() {
        if isShown {
            host.afterEvaluation { [weak self] in self?.appear() }
        } else {
            disappear()
        }
    }
}

extension Element {
    /// Covers or uncovers this element; what is in it appears and disappears.
    func setCovered(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        Self.tell(children)
    }

    private static func tell(_ nodes: [Node]) {
        for node in nodes {
            (node as? LifetimeScope)?.visibilityChanged()
            if let element = node as? Element, element.isCovered || element.kind.isPresentation { continue }
            tell(node.children)
        }
    }
}

extension View {
    private func lifetime(_ actions: LifetimeScope.Actions, id: AnyHashable? = nil) -> some View {
        rendering { content, context in
            let scope = context.scope(LifetimeScope.init) { _, inner in Self._render(content, inner) }
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

/// An equatable value where a hashable one is asked for and only compared.
private struct EquatableBox<Value: Equatable>: Hashable {
    let value: Value
    init(_ value: Value) { self.value = value }
    func hash(into hasher: inout Hasher) {}
}
