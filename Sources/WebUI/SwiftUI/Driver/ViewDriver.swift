import Synchronization

/// A driver for tests that uses a tree of views as a user would: it finds visible elements, taps, types and swipes.
///
/// Elements of covered pages and hidden tabs are not found, and while a sheet or a dialog is shown, only its elements are.
/// The screen is as high as its content, so all rows are visible, unless the driver `scrolls`.
@MainActor
package final class ViewDriver {
    package let host: ViewHost
    private let announced = Announced()

    /// - Parameter scrolls: True if rows of lazy containers, beyond the first hundred, become visible by ``scroll(to:)`` only.
    package init<Root: View>(_ root: Root, scene: SceneModel = SceneModel(), scrolls: Bool = false) {
        scene.announce = { [announced] text in announced.texts.withLock { $0.append(text) } }
        host = ViewHost(root, scene: scene, awaitsRowVisibility: scrolls)
    }

    /// All announcements to users of a screen reader so far.
    package var announcements: [String] {
        host.flush()
        return announced.texts.withLock { $0 }
    }

    private final class Announced: Sendable {
        let texts = Mutex<[String]>([])
    }

    isolated deinit { host.close() }

    // MARK: Queries

    /// All visible elements, in reading order.
    package var visible: [Element] { onScreen { $0.attributes[.accessibilityHidden] == nil } }

    /// Returns the elements of the topmost page or dialog that, like all their ancestors, satisfy `counts`.
    private func onScreen(where counts: @MainActor (Element) -> Bool) -> [Element] {
        host.flush()
        var all: [Element] = []
        var top: Element?
        func walk(_ element: Element, isHidden: Bool) {
            var isHidden = isHidden || element.isCovered || element.isForLostPage || !counts(element)
            if element.kind.isPresentation {
                isHidden = false
                // The newest presentation is on top, and ids only increase.
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

    /// All visible texts, in reading order.
    package var texts: [String] {
        visible.compactMap { [.text, .run, .link].contains($0.kind) ? $0.attributes[.text]?.text : nil }
    }

    /// The title of the topmost page, alert or dialog.
    package var title: String? { visible.last { $0.attributes[.title] != nil }?.attributes[.title]?.text }

    /// Returns all visible elements with this label or identifier.
    package func all(_ name: String, _ kind: ElementKind? = nil) -> [Element] {
        visible.filter { (kind == nil || $0.kind == kind) && ($0.attributes[.identifier]?.text == name || $0.isLabeled(name)) }
    }

    package func has(_ name: String) -> Bool { !all(name).isEmpty }

    /// Returns the innermost visible element with this label or identifier, and of this kind.
    package func find(_ name: String, _ kind: ElementKind? = nil) throws(DriverError) -> Element {
        guard let element = all(name, kind).last else { throw DriverError("there is no “\(name)”", visible) }
        return element
    }

    /// Returns the element with this label or identifier that handles `event`, or its nearest ancestor that does.
    private func target(_ name: String, for event: EventName) throws(DriverError) -> Element {
        let candidates = all(name)
        guard !candidates.isEmpty else { throw DriverError("there is no “\(name)”", visible) }
        for candidate in candidates.reversed() {
            var node: Node? = candidate
            var isInControl = false
            while let current = node {
                if let element = current as? Element {
                    if element.attributes[.disabled] == .on { throw DriverError("“\(name)” is disabled", visible) }
                    isInControl = isInControl || element.kind.isControl
                    let isReached = event != .long || !isInControl || element.attributes[.longPress] != nil
                    if element.handlers[event] != nil, element.takesTouches, isReached { return element }
                    if element.kind.isPresentation { break }
                }
                node = current.parent
            }
        }
        throw DriverError("“\(name)” takes no \(event.rawValue)", visible)
    }

    // MARK: Actions

    package func tap(_ name: String) throws(DriverError) { host.send(.tap, to: try target(name, for: .tap).id) }
    package func doubleTap(_ name: String) throws(DriverError) { host.send(.double, to: try target(name, for: .double).id) }
    /// Long-presses the element. A tap follows if the long press is simultaneous with the tap.
    package func longPress(_ name: String) throws(DriverError) {
        let element = try target(name, for: .long)
        host.send(.long, to: element.id)
        if element.attributes[.longPress]?.text == "beside", let tapped = try? target(name, for: .tap) {
            host.send(.tap, to: tapped.id)
        }
    }
    package func press(_ name: String, down: Bool) throws(DriverError) {
        host.send(.press, to: try target(name, for: .press).id, .number(down ? 1 : 0))
    }

    /// Presses a key without focus: taps the last control with this shortcut, even a hidden one.
    package func pressKey(_ key: KeyEquivalent, modifiers: EventModifiers = []) throws(DriverError) {
        let keys = KeyboardShortcut(key, modifiers: modifiers).names
        let takers = onScreen { _ in true }.filter { $0.attributes[.keys]?.text == keys && $0.handlers[.tap] != nil }
        guard let control = takers.last else { throw DriverError("nothing takes \(keys)", visible) }
        host.send(.tap, to: control.id)
    }

    /// Replaces the text of a field, as typing would.
    package func type(_ text: String, into name: String) throws(DriverError) {
        let field = try target(name, for: .input)
        if field.handlers[.focus] != nil { host.send(.focus, to: field.id) }
        host.send(.input, to: field.id, .text(text))
    }
    /// Presses Return on the on-screen keyboard: submits, or inserts a line break in a field of several lines.
    package func submit(_ name: String) throws(DriverError) {
        let field = try target(name, for: .input)
        guard field.attributes[.multiline] != .on else {
            return try type((field.attributes[.value]?.text ?? "") + "\n", into: name)
        }
        host.send(.submit, to: try target(name, for: .submit).id)
    }
    /// Presses Return on an attached keyboard.
    package func pressReturn(in name: String) throws(DriverError) {
        let field = try target(name, for: .input)
        let event: EventName = field.handlers[.returnKey] != nil ? .returnKey : .submit
        host.send(event, to: try target(name, for: event).id)
    }
    package func focus(_ name: String) throws(DriverError) { host.send(.focus, to: try target(name, for: .focus).id) }
    package func leave(_ name: String) throws(DriverError) { host.send(.blur, to: try target(name, for: .blur).id) }

    /// Drags on the element by `translation` from `start`, in points.
    package func drag(_ name: String, from start: CGPoint = .zero, by translation: CGSize) throws(DriverError) {
        let element = try target(name, for: .drag)
        let end = CGPoint(x: start.x + translation.width, y: start.y + translation.height)
        let middle = CGPoint(x: start.x + translation.width / 2, y: start.y + translation.height / 2)
        for (place, isOver) in [(middle, false), (end, false), (end, true)] {
            host.send(.drag, to: element.id, .drag(DragReport(location: place, start: start, velocity: .zero, isOver: isOver)))
        }
    }

    /// Pinches the element to each of these scales, and lifts the fingers at the last one.
    package func pinch(_ name: String, by scales: [CGFloat], at anchor: UnitPoint = .center) throws(DriverError) {
        let element = try target(name, for: .pinch)
        for (index, scale) in (scales + scales.suffix(1)).enumerated() {
            let report = PinchReport(
                magnification: scale, velocity: 0, start: .zero, anchor: anchor, isOver: index == scales.count)
            host.send(.pinch, to: element.id, .pinch(report))
        }
    }

    /// Scrolls down to the element. All rows before the element become visible first.
    package func scroll(to name: String) throws(DriverError) {
        while !has(name), let gap = visible.first(where: { $0.kind == .gap }) { host.send(.appear, to: gap.id) }
        let target = try find(name)
        for element in visible where element.kind != .gap {
            if element.handlers[.appear] != nil { host.send(.appear, to: element.id) }
            if element === target { return }
        }
    }

    /// Goes back by a swipe from the edge or the back button.
    package func back() throws(DriverError) { try send(.back, unless: .noBack, "no page can be left") }
    /// Dismisses a sheet or dialog by a swipe or Escape.
    package func dismiss() throws(DriverError) { try send(.dismiss, unless: .stay, "nothing can be dismissed") }
    /// Performs the browser's back action without a page or dialog to leave.
    package func escape() throws(DriverError) { try send(.escape, "nothing has an escape action") }
    /// Pulls to refresh.
    package func pull() throws(DriverError) { try send(.refresh, "nothing can be refreshed") }

    private func send(_ event: EventName, unless forbids: AttributeName? = nil, _ failure: String) throws(DriverError) {
        let visible = visible
        guard let element = visible.last(where: { $0.handlers[event] != nil }),
            forbids.map({ element.attributes[$0] != .on }) ?? true
        else { throw DriverError(failure, visible) }
        host.send(event, to: element.id)
    }

    // MARK: Waiting

    /// Waits until `condition` holds. The condition is evaluated after each flush, and when an observable object that it read changes.
    ///
    /// - Throws: ``DriverError`` after `limit`, which only keeps a broken test from hanging.
    package func wait(
        _ what: String = "the condition", limit: Duration = .seconds(300), until condition: @escaping @MainActor () -> Bool
    ) async throws {
        host.flush()
        let (flushes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        func holds() -> Bool { withObservationTracking(condition) { continuation.yield() } }
        guard !holds() else { return }
        let stop = host.afterEachFlush { continuation.yield() }
        // Sleeps off the main actor, which an endlessly changing tree keeps busy.
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

    /// Waits until an element with this label or identifier is visible.
    package func wait(for name: String) async throws { try await wait("“\(name)”") { self.has(name) } }
}

/// A failure of a driver's action.
package struct DriverError: Error, CustomStringConvertible {
    package let description: String

    @MainActor
    init(_ problem: String, _ visible: [Element]) {
        let seen = visible.compactMap { element in element.label.map { "\(element.kind.rawValue) “\($0)”" } }
        description = "\(problem); visible: \(seen.joined(separator: ", "))"
    }
}

extension Element {
    /// True if the element and all its ancestors allow hit testing.
    fileprivate var takesTouches: Bool {
        var node: Node? = self
        while let current = node {
            if let element = current as? Element, element.attributes[.hitTesting] == .off { return false }
            node = current.parent
        }
        return true
    }

    /// True if a page shows the element only while it is disconnected from the box.
    fileprivate var isForLostPage: Bool { attributes[.reach]?.text == PageReach.away.rawValue }

    /// The accessibility label, or the texts inside.
    package var label: String? {
        if let label = attributes[.accessibilityLabel]?.text { return label }
        if let text = attributes[.text]?.text { return text }
        if kind == .symbol { return attributes[.name]?.text }
        guard hasLabelOfTexts else { return attributes[.title]?.text }
        let words = words(of: { $0 != .symbol })
        if words.isEmpty { return self.words(of: { _ in true }).first }
        return words.joined(separator: kind == .text ? "" : " ")
    }

    /// True if the label may consist of the texts inside.
    private var hasLabelOfTexts: Bool {
        switch kind {
        case .button, .link, .toggle, .tabitem, .text, .label, .header, .footer, .message, .row: true
        default: false
        }
    }

    /// True if ``label`` is `name`. To be fast, compares the first text before all texts are joined.
    fileprivate func isLabeled(_ name: String) -> Bool {
        if hasLabelOfTexts, attributes[.accessibilityLabel] == nil, attributes[.text] == nil {
            guard let first = firstWords(of: { $0 != .symbol }) ?? firstWords(of: { _ in true }), name.hasPrefix(first) else {
                return false
            }
        }
        return label == name
    }

    /// Returns the first text of the descendants whose kind is wanted; nil if there is none.
    private func firstWords(of isWanted: (ElementKind) -> Bool) -> String? {
        for child in pageChildren
        where isWanted(child.kind) && child.attributes[.accessibilityHidden] == nil && !child.isForLostPage {
            if let words = child.label ?? child.firstWords(of: isWanted) { return words }
        }
        return nil
    }

    /// Returns the texts of the descendants whose kind is wanted.
    private func words(of isWanted: (ElementKind) -> Bool) -> [String] {
        pageChildren.flatMap { child -> [String] in
            guard isWanted(child.kind), child.attributes[.accessibilityHidden] == nil, !child.isForLostPage else { return [] }
            return child.label.map { [$0] } ?? child.words(of: isWanted)
        }
    }
}
