/// A text for display.
nonisolated public struct Text: View, Equatable {
    private enum Content: Equatable {
        case verbatim(String)
        case formatted(Formatted)
        case localized(LocalizedStringKey, table: String?, bundle: Bundle?)
        indirect case joined([Text])
    }
    private var content: Content
    fileprivate var change = Change()
    /// The colour that was set on the text itself.
    var ownForeground: _Paint? { change.foreground }

    /// The differences from the style of the surrounding text.
    fileprivate struct Change: Equatable {
        var font: Font?
        var fonts = FontChanges()
        var foreground: _Paint?
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

    /// Shows a date or a time of day in the user's format.
    public init(_ date: Date, style: DateStyle) { self.init(date, format: style.format) }

    public struct DateStyle: Equatable, Sendable {
        fileprivate let format: Date.FormatStyle
        public static let time = DateStyle(format: .dateTime.hour().minute())
        public static let date = DateStyle(format: .dateTime.year().month(.wide).day())
    }

    public static func + (first: Text, second: Text) -> Text {
        var text = Text(verbatim: "")
        text.content = .joined([first, second])
        return text
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
        if case .joined = view.content {
            context.element(
                .text, style: view.rules(in: environment) + environment.paragraphRules, attributes: attributes, layout: .hugging,
                content: { view.renderRuns($0, inheriting: Change()) })
        } else {
            attributes[.text] = .text(view.string(in: environment))
            context.element(
                .text, style: view.rules(in: environment) + environment.paragraphRules, attributes: attributes, layout: .hugging)
        }
    }

    @MainActor private func renderRuns(_ context: _RenderContext, inheriting outer: Change) {
        let change = outer.overridden(by: change)
        if case .joined(let parts) = content {
            for (index, part) in parts.enumerated() { part.renderRuns(context.child(index), inheriting: change) }
        } else {
            var run = self
            run.change = change
            var attributes = Attributes()
            attributes[.text] = .text(string(in: context.environment))
            context.element(.run, style: run.rules(in: context.environment), attributes: attributes, layout: .hugging)
        }
    }

    private func rules(in environment: EnvironmentValues) -> [StyleRule] {
        var rules: [StyleRule] = []
        let changes = environment.fontChanges.overridden(by: change.fonts)
        if let base = change.font ?? environment.font ?? (changes == FontChanges() ? nil : .body) {
            rules.append(.font(changes.applied(to: base)))
        }
        if let paint = (change.foreground ?? environment.foreground)?.resolved(in: environment) { rules.append(.foreground(paint)) }
        return rules + change.rules
    }

    /// Returns the characters in the language of `environment`.
    func string(in environment: EnvironmentValues) -> String {
        switch content {
        case .verbatim(let text): text
        case .localized(let key, let table, let bundle):
            key.resolved(table: table, bundle: bundle, in: environment)
        case .formatted(let value): value.text(in: environment)
        case .joined(let parts): parts.map { $0.string(in: environment) }.joined()
        }
    }
}

extension Text.Change {
    fileprivate func overridden(by inner: Self) -> Self {
        Self(
            font: inner.font ?? font, fonts: fonts.overridden(by: inner.fonts), foreground: inner.foreground ?? foreground,
            rules: rules + inner.rules)
    }
}

extension FontChanges {
    fileprivate func overridden(by inner: FontChanges) -> FontChanges {
        FontChanges(
            weight: inner.weight ?? weight, isItalic: inner.isItalic || isItalic,
            hasMonospacedDigits: inner.hasMonospacedDigits || hasMonospacedDigits, design: inner.design ?? design)
    }
}
