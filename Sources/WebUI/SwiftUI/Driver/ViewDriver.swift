/// Uses a tree of views as a person would: finds what can be seen, taps, types, swipes. For tests.
///
/// Only what a person could see counts: not what is in a covered page or a hidden tab, and while a sheet or a dialog is up, only what is in it.
/// The screen is as high as what is on it: all rows are in sight as soon as they are there, unless it `scrolls`.
@MainActor
package final class ViewDriver {
    package let host: ViewHost

    /// - Parameter scrolls: Rows of lazy containers come into sight by ``scroll(to:)`` only. They can be found before.
    package init<Root: View>(_ root: Root, scene: SceneModel = SceneModel(), scrolls: Bool = false) {
        host = ViewHost(root, scene: scene, rowsWait: scrolls)
    }

    isolated deinit { host.close() }

    // MARK: Finding

    /// Everything that can be seen, in reading order.
    package var visible: [Element] { onScreen { $0.attributes[.accessibilityHidden] == nil } }

    /// Everything on the page or in the dialog on top that counts, and is in nothing that does not.
    private func onScreen(where counts: @MainActor (Element) -> Bool) -> [Element] {
        host.flush()
        var all: [Element] = []
        var top: Element?
        func walk(_ element: Element, isHidden: Bool) {
            var isHidden = isHidden || element.isCovered || !counts(element)
            if element.kind.isPresentation {
                isHidden = false
                // The one that came last is on top, and numbers only grow.
                if element.id > top?.id ?? 0 { top = element }
            }
            if !isHidden { all.append(element) }
            for child in element.pageChildren { walk(child, isHidden: isHidden) }
        }
        walk(host.root, isHidden: false)
        guard let dialog = top else { return all }
        all = []
        walk(dialog, isHidden: false)
        return all
    }

    /// All texts that can be seen, in reading order.
    package var texts: [String] { visible.compactMap { $0.kind == .text || $0.kind == .run ? $0.attributes[.text]?.text : nil } }

    /// The title of the page, alert or dialog on top.
    package var title: String? { visible.last { $0.attributes[.title] != nil }?.attributes[.title]?.text }

    /// Everything visible with this label or identifier.
    package func all(_ name: String, _ kind: ElementKind? = nil) -> [Element] {
        visible.filter { ($0.label == name || $0.attributes[.identifier]?.text == name) && (kind == nil || $0.kind == kind) }
    }

    package func has(_ name: String) -> Bool { !all(name).isEmpty }

    /// The innermost visible thing with this label or identifier, of this kind if one is given.
    package func find(_ name: String, _ kind: ElementKind? = nil) throws(DriverError) -> Element {
        guard let element = all(name, kind).last else { throw DriverError("there is no “\(name)”", visible) }
        return element
    }

    /// What takes `event` under this label or identifier: the thing itself, or the nearest around it.
    private func target(_ name: String, for event: EventName) throws(DriverError) -> Element {
        let candidates = all(name)
        guard !candidates.isEmpty else { throw DriverError("there is no “\(name)”", visible) }
        for candidate in candidates.reversed() {
            var node: Node? = candidate
            while let current = node {
                if let element = current as? Element {
                    if element.attributes[.disabled] == .on { throw DriverError("“\(name)” is disabled", visible) }
                    if element.handlers[event] != nil, element.takesTouches { return element }
                    if element.kind.isPresentation { break }
                }
                node = current.parent
            }
        }
        throw DriverError("“\(name)” takes no \(event.rawValue)", visible)
    }

    // MARK: Doing

    package func tap(_ name: String) throws(DriverError) { host.send(.tap, to: try target(name, for: .tap).id) }
    package func doubleTap(_ name: String) throws(DriverError) { host.send(.double, to: try target(name, for: .double).id) }
    package func longPress(_ name: String) throws(DriverError) { host.send(.long, to: try target(name, for: .long).id) }
    package func press(_ name: String, down: Bool) throws(DriverError) {
        host.send(.press, to: try target(name, for: .press).id, .number(down ? 1 : 0))
    }

    /// Presses a key while nothing has the focus: taps the last control that has it for a shortcut, even one that is hidden from sight.
    package func pressKey(_ key: KeyEquivalent, modifiers: EventModifiers = []) throws(DriverError) {
        let keys = KeyboardShortcut(key, modifiers: modifiers).names
        let takers = onScreen { _ in true }.filter { $0.attributes[.keys]?.text == keys && $0.handlers[.tap] != nil }
        guard let control = takers.last else { throw DriverError("nothing takes \(keys)", visible) }
        host.send(.tap, to: control.id)
    }

    /// Replaces what is in a field, as one keystroke after the other would in the end.
    package func type(_ text: String, into name: String) throws(DriverError) {
        let field = try target(name, for: .input)
        if field.handlers[.focus] != nil { host.send(.focus, to: field.id) }
        host.send(.input, to: field.id, .text(text))
    }
    package func submit(_ name: String) throws(DriverError) { host.send(.submit, to: try target(name, for: .submit).id) }
    package func focus(_ name: String) throws(DriverError) { host.send(.focus, to: try target(name, for: .focus).id) }
    package func leave(_ name: String) throws(DriverError) { host.send(.blur, to: try target(name, for: .blur).id) }

    /// Moves a finger over the thing, by `translation` from `start`, in points.
    package func drag(_ name: String, from start: CGPoint = .zero, by translation: CGSize) throws(DriverError) {
        let element = try target(name, for: .drag)
        let end = CGPoint(x: start.x + translation.width, y: start.y + translation.height)
        let middle = CGPoint(x: start.x + translation.width / 2, y: start.y + translation.height / 2)
        for (place, isOver) in [(middle, false), (end, false), (end, true)] {
            host.send(.drag, to: element.id, .drag(DragReport(location: place, start: start, velocity: .zero, isOver: isOver)))
        }
    }

    /// Scrolls down to the thing: it comes into sight, after all that stands before it.
    package func scroll(to name: String) throws(DriverError) {
        let target = try find(name)
        for element in visible {
            if element.handlers[.appear] != nil { host.send(.appear, to: element.id) }
            if element === target { return }
        }
    }

    /// Swipes from the left edge, or taps the back button: the page on top goes.
    package func back() throws(DriverError) { try send(.back, unless: .noBack, "no page can be left") }
    /// Swipes a sheet down, or presses Escape.
    package func dismiss() throws(DriverError) { try send(.dismiss, unless: .stay, "nothing can be dismissed") }
    /// Goes back as a browser does where there is no page or dialog to leave.
    package func escape() throws(DriverError) { try send(.escape, "nothing has an escape action") }
    /// Pulls a list or scroll view down to refresh it.
    package func pull() throws(DriverError) { try send(.refresh, "nothing can be refreshed") }

    private func send(_ event: EventName, unless forbids: AttributeName? = nil, _ failure: String) throws(DriverError) {
        let visible = visible
        guard let element = visible.last(where: { $0.handlers[event] != nil }),
            forbids.map({ element.attributes[$0] != .on }) ?? true
        else { throw DriverError(failure, visible) }
        host.send(event, to: element.id)
    }

    // MARK: Waiting

    /// Waits until `condition` holds. Does not poll: looks again after each flush, and when an observable object that it read changes.
    ///
    /// - Throws: ``DriverError`` when it did not within `limit`, which only keeps a broken test from hanging.
    package func wait(
        _ what: String = "the condition", limit: Duration = .seconds(120), until condition: @escaping @MainActor () -> Bool
    ) async throws {
        host.flush()
        let (flushes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        func holds() -> Bool { withObservationTracking(condition) { continuation.yield() } }
        guard !holds() else { return }
        let stop = host.afterEachFlush { continuation.yield() }
        // Off the main actor, which a tree that never comes to rest keeps busy.
        let timer = Task { @concurrent in
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            stop()
            timer.cancel()
        }
        for await _ in flushes where holds() { return }
        throw DriverError("\(what) did not come true", visible)
    }

    /// Waits until something with this label or identifier can be seen.
    package func wait(for name: String) async throws { try await wait("“\(name)”") { self.has(name) } }
}

/// Why a driver could not do what it was asked to.
package struct DriverError: Error, CustomStringConvertible {
    package let description: String

    @MainActor
    init(_ problem: String, _ visible: [Element]) {
        let seen = visible.compactMap { element in element.label.map { "\(element.kind.rawValue) “\($0)”" } }
        description = "\(problem); visible: \(seen.joined(separator: ", "))"
    }
}

extension Element {
    /// Touches do not go through it to what is behind.
    fileprivate var takesTouches: Bool {
        var node: Node? = self
        while let current = node {
            if let element = current as? Element, element.attributes[.hitTesting] == .off { return false }
            node = current.parent
        }
        return true
    }

    /// What a person calls it: its accessibility label, or the texts in it.
    package var label: String? {
        if let label = attributes[.accessibilityLabel]?.text { return label }
        if let text = attributes[.text]?.text { return text }
        if kind == .symbol { return attributes[.name]?.text }
        guard [.button, .link, .toggle, .tabitem, .text, .label, .header, .footer, .message, .row].contains(kind) else {
            return attributes[.title]?.text
        }
        let words = words(of: { $0 != .symbol })
        if words.isEmpty { return self.words(of: { _ in true }).first }
        return words.joined(separator: kind == .text ? "" : " ")
    }

    /// What is said by the things inside that are of these kinds.
    private func words(of isWanted: (ElementKind) -> Bool) -> [String] {
        pageChildren.flatMap { child -> [String] in
            guard isWanted(child.kind), child.attributes[.accessibilityHidden] == nil else { return [] }
            return child.label.map { [$0] } ?? child.words(of: isWanted)
        }
    }
}
