/// A tree of views that lives: evaluates what changed, runs effects, and says what a page has to change.
@MainActor
package final class ViewHost {
    /// What the world around the views is like: language, appearance, phase.
    package let scene: SceneModel
    /// Until the tree is closed.
    package private(set) var root: Element!
    /// Told after each flush that changed something a page shows.
    package var onChanges: (@MainActor ([Change], Animation?) -> Void)?

    /// Rows of lazy containers appear when the page says that they are in sight; otherwise at once.
    let rowsWait: Bool
    nonisolated let invalidations = InvalidationQueue()
    package let tracking = Tracking()
    /// Elements with handlers.
    private var listeners: [Int: Element] = [:]
    /// Where the items stand that an element shows in a bar, in the order the page has them.
    var barScopes: [Int: [BarScope]] = [:]
    private var lastElementNumber: UInt32 = 0
    private var recentStyles = Recent<[StyleRule]>()
    private var recentAttributes = Recent<Attributes>()
    /// Components made or updated by the evaluation under way, in order.
    private var fresh: [AnyComponent] = []
    private var effects: [@MainActor () -> Void] = []
    /// Alerts and confirmation dialogs that are shown.
    var dialogs: [ObjectIdentifier: DialogModel] = [:]
    /// Scopes that take the addresses the app is opened with.
    var openers: [OpenURLScope] = []
    private var settlers: [ObjectIdentifier: @MainActor () -> Void] = [:]
    /// Elements that the page has otherwise, in the order in which they changed, and how it has them.
    private var changed: [Element] = []
    private(set) var shown: [Int: Element.Shown] = [:]
    private var restructured: [Int: Element] = [:]
    private var flushWaiters: [Int: @MainActor () -> Void] = [:]
    private var lastWaiter = 0
    private var isFlushing = false
    package private(set) var isClosed = false
    private var lastFlush = ContinuousClock.now
    private var flushTask: Task<Void, Never>?

    /// The least time between two flushes that nobody is waiting for.
    package static let pace = Duration.milliseconds(16)
    /// Effects may change state, which may cause effects. A view that never comes to rest is left for the next flush.
    private static let mostRounds = 64

    /// - Parameter rowsWait: Something shows the tree that sends `appear` for rows that come into sight.
    package init<Root: View>(_ root: Root, scene: SceneModel = SceneModel(), rowsWait: Bool = false) {
        self.scene = scene
        self.rowsWait = rowsWait
        invalidations.start { [weak self] in
            Task { @MainActor in self?.flushWhenDue() }
        }
        self.root = Element(kind: .root, key: Node.Key(0, .root), parent: nil, host: self)
        var environment = EnvironmentValues()
        environment.scene = scene
        let list = ChildList(self.root)
        _RenderContext(list, .init(environment: environment)).deferred { root }
        list.finish()
        flush()
    }

    /// Ends every task and effect of the tree. Nothing is evaluated afterwards.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        flushTask?.cancel()
        onChanges = nil
        root.unmount()
        root.children = []
        runEffects()
        tracking.sweep()
        fresh = []
        settlers = [:]
        changed = []
        shown = [:]
        restructured = [:]
        wake()
    }

    // MARK: Flushing

    /// While set, changes that nobody is waiting for stay where they are: whoever shows them has not caught up.
    package var holdsBack = false {
        didSet { if !holdsBack, hasHeldBack { flushWhenDue() } }
    }
    private var hasHeldBack = false

    private func flushWhenDue() {
        hasHeldBack = holdsBack
        guard !isClosed, !holdsBack, flushTask == nil, hasWork else { return }
        let due = lastFlush + Self.pace
        guard due > .now else { return flush() }
        flushTask = Task { [weak self] in
            // Cancelled by a flush that came first.
            guard (try? await Task.sleep(until: due)) != nil else { return }
            self?.flushTask = nil
            self?.flushWhenDue()
        }
    }

    /// Nothing waits to be evaluated or run.
    private var isSettled: Bool { invalidations.isEmpty && fresh.isEmpty && effects.isEmpty && settlers.isEmpty }

    private var hasWork: Bool { !isSettled || !changed.isEmpty || !restructured.isEmpty }

    /// Evaluates everything that changed, now.
    package func flush() {
        guard !isClosed, !isFlushing else { return }
        let isNeeded = hasWork
        isFlushing = true
        flushTask?.cancel()
        flushTask = nil
        invalidations.begin()
        tracking.sweepIfDue()
        var motion: Animation?
        for _ in 0..<Self.mostRounds {
            let waiting = invalidations.take()
            motion = waiting.motion ?? motion
            var stack = waiting.invalidations.compactMap(\.component).sorted { $0.depth > $1.depth }
            for component in stack { component.needsEvaluation = true }
            stack += fresh.reversed()
            fresh = []
            evaluate(&stack)
            for dialog in dialogs.values { dialog.countButtons() }
            settle()
            runEffects()
            if isSettled { break }
        }
        // An effect may have closed the tree.
        guard !isClosed else { return }
        layOut()
        let changes = collectChanges()
        lastFlush = .now
        isFlushing = false
        if !changes.isEmpty { onChanges?(changes, motion) }
        // Not otherwise: who waits looks at the tree, which flushes.
        if isNeeded { wake() }
        invalidations.end(leavesMore: !isClosed && !isSettled)
    }

    /// Children are evaluated right after the body that made them, in its order.
    private func evaluate(_ stack: inout [AnyComponent]) {
        while let component = stack.popLast() {
            guard component.needsEvaluation, component.isMounted else { continue }
            component.evaluate()
            stack += fresh.reversed()
            fresh = []
        }
    }

    private func settle() {
        while !settlers.isEmpty {
            let current = settlers.values
            settlers = [:]
            for settler in current { settler() }
        }
    }

    private func runEffects() {
        let current = effects
        effects = []
        for effect in current { Evaluation.none(effect) }
    }

    func enqueue(_ component: AnyComponent) {
        guard !component.needsEvaluation else { return }
        component.needsEvaluation = true
        fresh.append(component)
    }

    /// Runs `effect` once the views of this flush are evaluated.
    func afterEvaluation(_ effect: @escaping @MainActor () -> Void) {
        effects.append(effect)
        if !isFlushing, !isClosed { invalidations.request() }
    }

    /// Runs `settler` once for `object` when the bodies of this round are evaluated, before effects.
    func settle(_ object: AnyObject, _ settler: @escaping @MainActor () -> Void) {
        settlers[ObjectIdentifier(object)] = settler
        if !isFlushing, !isClosed { invalidations.request() }
    }

    // MARK: Events

    /// Runs what a person did. Ignored when nothing on the screen takes it any more.
    /// - Returns: Whether something took it.
    @discardableResult
    package func send(_ event: EventName, to id: Int, _ value: EventValue = .none) -> Bool {
        flush()
        guard let element = listeners[id], let handler = element.handlers[event] else { return false }
        // Two quick taps on a link push one page: the second one finds it covered. What was typed or seen counts all the same.
        guard element.isShown || [.input, .blur, .appear].contains(event) else { return false }
        if event == .input, case .text(let text) = value {
            // The page shows this already; what the binding makes of it is sent back only where it differs.
            element.pageShows(text)
            element.component?.invalidation.invalidate()
        }
        handler(value)
        flush()
        return true
    }

    /// Hands an address that the app was opened with to every `onOpenURL`.
    package func open(_ url: URL) {
        flush()
        for opener in openers { opener.action(url) }
        flush()
    }

    /// Calls `body` after each flush until the returned function is called.
    func afterEachFlush(_ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        lastWaiter += 1
        let number = lastWaiter
        flushWaiters[number] = body
        return { [weak self] in self?.flushWaiters[number] = nil }
    }

    private func wake() { for waiter in flushWaiters.values { waiter() } }

    // MARK: Elements

    func nextElementNumber() -> UInt32 {
        lastElementNumber += 1
        return lastElementNumber
    }

    /// Takes events for `element` if it has handlers.
    func listen(_ element: Element) { listeners[element.id] = element.handlers.isEmpty ? nil : element }

    func forget(_ element: Element) {
        listeners[element.id] = nil
        barScopes[element.id] = nil
        restructured[element.id] = nil
    }

    /// The same style as one that another element got lately, if there is one: rows look alike.
    func shared(_ style: [StyleRule]) -> [StyleRule] { style.isEmpty ? style : recentStyles.shared(style) }
    func shared(_ attributes: Attributes) -> Attributes {
        // Texts are seldom the same.
        attributes.isEmpty || attributes[.text] != nil ? attributes : recentAttributes.shared(attributes)
    }

    func willChange(_ element: Element, from shown: Element.Shown) {
        self.shown[element.id] = shown
        changed.append(element)
        if !isFlushing, !isClosed { invalidations.request() }
    }

    func structureChanged(_ element: Element) {
        restructured[element.id] = element
        if !isFlushing, !isClosed { invalidations.request() }
    }

    // MARK: Changes

    /// Finds anew which elements want all room, from the leaves up, where the structure changed.
    private func layOut() {
        guard !restructured.isEmpty else { return }
        sortBars()
        var waiting = restructured
        restructured = [:]
        var order = waiting.values.sorted { $0.depth < $1.depth }
        while let element = order.popLast() {
            guard waiting.removeValue(forKey: element.id) != nil, element.isMounted else { continue }
            let flags = element.wishes
            guard flags != element.flags else { continue }
            element.set(flags)
            if let container = element.container, waiting[container.id] == nil {
                waiting[container.id] = container
                let index = order.firstIndex { $0.depth > container.depth } ?? order.endIndex
                order.insert(container, at: index)
            }
        }
    }

    /// Brings the items of each bar into the order in which they stand in the tree.
    private func sortBars() {
        for scopes in barScopes.values where scopes.count > 1 {
            guard zip(scopes, scopes.dropFirst()).contains(where: { !$0.isBefore($1) }) else { continue }
            let bar = scopes[0].bar
            bar.childrenWillChange()
            barScopes[bar.id] = scopes.sorted { $0.isBefore($1) }
        }
    }

    private func collectChanges() -> [Change] {
        var changes: [Change] = []
        for element in changed where element.isMounted { element.collectPatch(into: &changes) }
        for element in changed where element.isMounted { element.collectChildChanges(into: &changes) }
        changed = []
        shown = [:]
        if !root.isOnPage {
            root.putOnPage()
            changes.append(.replaced(root))
        }
        return changes
    }
}

/// The last few different values, so that equal ones can share their storage.
private struct Recent<Value: Equatable> {
    private var values: [Value] = []
    private var next = 0

    mutating func shared(_ value: Value) -> Value {
        if let known = values.first(where: { $0 == value }) { return known }
        if values.count < 16 {
            values.append(value)
        } else {
            values[next] = value
            next = (next + 1) % values.count
        }
        return value
    }
}

extension Element {
    /// Its own wish and its content's, as far as the rule lets it through.
    fileprivate var wishes: LayoutFlags {
        var content: LayoutFlags = []
        forEachPageChild { child in
            if !child.kind.isPresentation, child.kind != .layer, child.kind != .items { content.formUnion(child.flags) }
        }
        return layout.own.union(content.intersection(layout.passes))
    }
}
