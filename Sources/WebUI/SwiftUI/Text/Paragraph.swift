private enum LineLimitKey: LocalKey { static var defaultValue: Int? { nil } }
private enum TextAlignmentKey: LocalKey { static var defaultValue: TextAlignment { .leading } }
private enum LineSpacingKey: LocalKey { static var defaultValue: CGFloat { 0 } }
private enum TextCaseKey: LocalKey { static var defaultValue: Text.Case? { nil } }
private enum TextSelectionKey: LocalKey { static var defaultValue: Bool { false } }
private enum TextRulesKey: LocalKey { static var defaultValue: [StyleRule] { [] } }

extension EnvironmentValues {
    public var lineLimit: Int? {
        get { self[LineLimitKey.self] }
        set { self[LineLimitKey.self] = newValue }
    }
    public var multilineTextAlignment: TextAlignment {
        get { self[TextAlignmentKey.self] }
        set { self[TextAlignmentKey.self] = newValue }
    }
    public var lineSpacing: CGFloat {
        get { self[LineSpacingKey.self] }
        set { self[LineSpacingKey.self] = newValue }
    }
    public var textCase: Text.Case? {
        get { self[TextCaseKey.self] }
        set { self[TextCaseKey.self] = newValue }
    }
    var isTextSelectable: Bool {
        get { self[TextSelectionKey.self] }
        set { self[TextSelectionKey.self] = newValue }
    }
    fileprivate var textRules: [StyleRule] {
        get { self[TextRulesKey.self] }
        set { self[TextRulesKey.self] = newValue }
    }

    /// The style rules of the whole text.
    var paragraphRules: [StyleRule] {
        var rules = textRules
        if multilineTextAlignment != .leading { rules.append(.textAlignment(multilineTextAlignment)) }
        if lineSpacing != 0 { rules.append(.lineSpacing(lineSpacing)) }
        if let textCase { rules.append(.textCase(textCase)) }
        return rules
    }
}

extension View {
    public func lineLimit(_ number: Int?) -> some View { adjusting { $0.environment.lineLimit = number } }
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View {
        adjusting {
            $0.environment.lineLimit = limit.upperBound
            $0.environment.minimumLines = limit.lowerBound
        }
    }
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View {
        adjusting { $0.environment.minimumLines = limit.lowerBound }
    }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        adjusting { $0.environment.multilineTextAlignment = alignment }
    }
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { adjusting { $0.environment.lineSpacing = lineSpacing } }
    public func textCase(_ textCase: Text.Case?) -> some View { adjusting { $0.environment.textCase = textCase } }
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
        adjusting { $0.environment.isTextSelectable = S.allowsSelection }
    }
    public func kerning(_ kerning: CGFloat) -> some View { adjusting { $0.environment.textRules.append(.kerning(kerning)) } }
    public func tracking(_ tracking: CGFloat) -> some View { adjusting { $0.environment.textRules.append(.kerning(tracking)) } }
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View {
        adjusting { if isActive { $0.environment.textRules.append(.underline) } }
    }
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View {
        adjusting { if isActive { $0.environment.textRules.append(.strikethrough) } }
    }
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    public func allowsTightening(_ flag: Bool) -> some View { self }
}

/// The selectability of text.
public protocol TextSelectability {
    static var allowsSelection: Bool { get }
}

public struct EnabledTextSelectability: TextSelectability {
    public static let allowsSelection = true
}

public struct DisabledTextSelectability: TextSelectability {
    public static let allowsSelection = false
}

extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

extension TextSelectability where Self == DisabledTextSelectability {
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}
