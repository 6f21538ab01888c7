/// A text for display.
nonisolated public struct Text: View, Equatable {
    private enum Content: Equatable {
        case verbatim(String)
        case formatted(Formatted)
        case localized(LocalizedStringKey, table: String?, bundle: Bundle?)
        case attributed(AttributedString)
        indirect case joined([Text])
    }
    private var content: Content
    fileprivate var change = Change()
    /// The colour that was set on the text itself; nil for none.
    var ownForeground: _Paint? { change.foreground }

    /// The differences from the style of the surrounding text.
    fileprivate struct Change: Equatable {
        var font: Font?
        var fonts = FontChanges()
        var foreground: _Paint?
        /// The colour that the attributes of a link set instead of the tint.
        var linkForeground: _Paint?
        var rules: [StyleRule] = []
    }

    public enum Case: Hashable, Sendable { case uppercase, lowercase }
    public enum TruncationMode: Hashable, Sendable { case head, tail, middle }

    public init(verbatim content: String) { self.content = .verbatim(content) }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.content = .verbatim(String(content)) }

    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {
        content = .localized(key, table: tableName, bundle: bundle)
    }

    public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        content = .formatted(FormattedInput(input, format))
    }

    /// Shows a text with links and styles. A link opens its URL with the `openURL` action of the environment.
    // Disfavoured, so that a literal is a key.
    @_disfavoredOverload
    public init(_ attributedContent: AttributedString) { content = .attributed(attributedContent) }

    /// Shows a date or a time of day in the user's format.
    public init(_ date: Date, style: DateStyle) { self.init(date, format: style.format) }

    public struct DateStyle: Equatable, Sendable {
        fileprivate let format: Date.FormatStyle
        public static let time = DateStyle(format: .dateTime.hour().minute())
        public static let date = DateStyle(format: .dateTime.year().month(.wide).day())
    }

    public static func + (first: Text, second: Text) -> Text {
        var text = Text(verbatim: "")
        // Flat, so that a chain of thousands is not nested.
        text.content = .joined(first.parts + second.parts)
        return text
    }

    /// The texts that this text joins, if it changes no style; otherwise only the text itself.
    private var parts: [Text] {
        if case .joined(let parts) = content, change == Change() { parts } else { [self] }
    }

    // MARK: Appearance

    public func font(_ font: Font?) -> Text { with { $0.font = font } }
    public func fontWeight(_ weight: Font.Weight?) -> Text { with { $0.fonts.weight = weight } }
    public func fontDesign(_ design: Font.Design?) -> Text { with { $0.fonts.design = design } }
    public func bold() -> Text { with { $0.fonts.weight = .bold } }
    public func bold(_ isActive: Bool) -> Text { with { $0.fonts.weight = isActive ? .bold : nil } }
    public func italic() -> Text { with { $0.fonts.isItalic = true } }
    public func italic(_ isActive: Bool) -> Text { with { $0.fonts.isItalic = isActive } }
    public func monospaced(_ isActive: Bool = true) -> Text { with { $0.fonts.design = isActive ? .monospaced : nil } }
    public func monospacedDigit() -> Text { with { $0.fonts.hasMonospacedDigits = true } }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { with { $0.foreground = style._paint } }
    public func foregroundColor(_ color: Color?) -> Text { with { $0.foreground = color.map(_Paint.color) } }
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text {
        with { if isActive { $0.rules.append(.underline) } }
    }
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        with { if isActive { $0.rules.append(.strikethrough) } }
    }
    public func kerning(_ kerning: CGFloat) -> Text { with { $0.rules.append(.kerning(kerning)) } }
    public func tracking(_ tracking: CGFloat) -> Text { with { $0.rules.append(.kerning(tracking)) } }

    private func with(_ change: (inout Change) -> Void) -> Text {
        var text = self
        change(&text.change)
        return text
    }

    // MARK: Rendering

    @MainActor public static func _render(_ view: Text, _ context: _RenderContext) {
        let environment = context.environment
        var attributes = Attributes()
        if let limit = environment.lineLimit { attributes[.lines] = .number(Double(limit)) }
        if environment.isTextSelectable { attributes[flag: .select] = true }
        let style = view.rules(in: environment) + environment.paragraphRules
        switch view.content {
        case .joined, .attributed:
            context.element(.text, style: style, attributes: attributes, layout: .hugging) { inner in
                var runs: [Run] = []
                view.collectRuns(into: &runs, inheriting: Change(), in: environment)
                // Identified by their positions alone, so that a growing text keeps its first runs.
                for (index, run) in runs.enumerated() { run.render(inner.child(index)) }
            }
        default:
            attributes[.text] = .text(view.string(in: environment))
            context.element(.text, style: style, attributes: attributes, layout: .hugging)
        }
    }

    /// A part of a text with one style and at most one link.
    private struct Run {
        let text: String
        var change: Change
        var link: URL?

        @MainActor func render(_ context: _RenderContext) {
            var target = link.map { LinkTarget($0, in: context.environment) }
            if target?.isDead ?? false { target = nil }
            var change = change
            if target != nil { change.foreground = change.linkForeground ?? .tint }
            var attributes = target?.attributes ?? Attributes()
            attributes[.text] = .text(text)
            context.element(
                target == nil ? .run : .link, style: change.rules(in: context.environment), attributes: attributes,
                handlers: target?.action.map { action in [.tap: { _ in action() }] } ?? [:], layout: .hugging)
        }
    }

    private func collectRuns(into runs: inout [Run], inheriting outer: Change, in environment: EnvironmentValues) {
        let change = outer.overridden(by: change)
        switch content {
        case .joined(let parts): for part in parts { part.collectRuns(into: &runs, inheriting: change, in: environment) }
        case .attributed(let content):
            for run in content.runs {
                runs.append(
                    Run(
                        text: String(content[run.range].characters), change: change.overridden(by: Change(run.attributes)),
                        link: run.link))
            }
        default: runs.append(Run(text: string(in: environment), change: change))
        }
    }

    private func rules(in environment: EnvironmentValues) -> [StyleRule] { change.rules(in: environment) }

    /// Returns the characters in the language of `environment`.
    func string(in environment: EnvironmentValues) -> String {
        switch content {
        case .verbatim(let text): text
        case .localized(let key, let table, let bundle):
            key.resolved(table: table, bundle: bundle, in: environment)
        case .formatted(let value): value.text(in: environment)
        case .attributed(let content): String(content.characters)
        case .joined(let parts): parts.map { $0.string(in: environment) }.joined()
        }
    }
}

extension Text.Change {
    /// Creates the changes from the attributes of a run.
    fileprivate init(_ attributes: AttributeContainer) {
        font = attributes.font
        linkForeground = attributes.foregroundColor.map(_Paint.color)
        foreground = linkForeground
        let intent = attributes.inlinePresentationIntent ?? []
        if intent.contains(.stronglyEmphasized) { fonts.weight = .bold }
        if intent.contains(.emphasized) { fonts.isItalic = true }
        if intent.contains(.code) { fonts.design = .monospaced }
        if let color = attributes.backgroundColor { rules.append(.background(.color(color))) }
        if attributes.underlineStyle != nil { rules.append(.underline) }
        if attributes.strikethroughStyle != nil || intent.contains(.strikethrough) { rules.append(.strikethrough) }
    }

    fileprivate func overridden(by inner: Self) -> Self {
        Self(
            font: inner.font ?? font, fonts: fonts.overridden(by: inner.fonts), foreground: inner.foreground ?? foreground,
            linkForeground: inner.linkForeground, rules: rules + inner.rules)
    }

    fileprivate func rules(in environment: EnvironmentValues) -> [StyleRule] {
        var result: [StyleRule] = []
        let changes = environment.fontChanges.overridden(by: fonts)
        if let base = font ?? environment.font ?? (changes == FontChanges() ? nil : .body) {
            result.append(.font(changes.applied(to: base)))
        }
        if let paint = (foreground ?? environment.foreground)?.resolved(in: environment) { result.append(.foreground(paint)) }
        return result + rules
    }
}

extension FontChanges {
    fileprivate func overridden(by inner: FontChanges) -> FontChanges {
        FontChanges(
            weight: inner.weight ?? weight, isItalic: inner.isItalic || isItalic,
            hasMonospacedDigits: inner.hasMonospacedDigits || hasMonospacedDigits, design: inner.design ?? design)
    }
}
