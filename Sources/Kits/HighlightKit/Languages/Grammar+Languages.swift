extension Grammar {
    /// Returns the grammar of a language; nil for languages with a lexer of their own.
    static func of(_ language: CodeLanguage) -> Grammar? {
        switch language {
        case .swift: swift
        case .c: c
        case .cpp: cpp
        case .objectiveC: objectiveC
        case .java: java
        case .kotlin: kotlin
        case .javaScript: javaScript
        case .typeScript: typeScript
        case .tsx: tsx
        case .python: python
        case .ruby: ruby
        case .go: go
        case .rust: rust
        case .php: php
        case .cSharp: cSharp
        case .shell: shell
        case .sql: sql
        case .json: json
        case .toml: toml
        case .html, .xml, .css, .yaml, .markdown, .dockerfile, .makefile, .diff: nil
        }
    }

    // MARK: Swift and the C family

    private static let swift = Grammar(
        [.capitalizedTypes, .calls, .atAttributes],
        keywords: """
            actor any as associatedtype async await break borrowing case catch class consume consuming continue convenience copy default defer
            deinit didSet distributed do dynamic each else enum extension fallthrough false fileprivate final for func get guard if import in
            indirect infix init inout internal is isolated lazy let macro mutating nil nonisolated nonmutating open operator optional override
            package postfix precedencegroup prefix private protocol public repeat required rethrows return self Self sending set some static
            struct subscript super switch throw throws true try typealias unowned var weak where while willSet yield
            """,
        functionDeclarers: "func macro", typeDeclarers: "class struct enum protocol extension actor typealias associatedtype",
        nestsComments: true,
        strings: [
            StringRule("\"\"\"", isMultiline: true, interpolations: [.swift]), StringRule("\"", interpolations: [.swift]),
        ])

    private static let cKeywords = """
        auto break case const constexpr continue default do else enum extern false for goto if inline nullptr register restrict return sizeof
        static static_assert struct switch thread_local true typedef typeof union volatile while NULL _Alignas _Atomic _Bool _Generic
        _Noreturn _Static_assert _Thread_local alignas alignof
        """
    private static let cTypes = "bool char double float int long short signed unsigned void FILE va_list"
    private static let cStrings = [StringRule("\""), StringRule("'")]

    private static let c = Grammar(
        [.calls, .preprocessor], keywords: cKeywords, types: cTypes, typeDeclarers: "struct enum union", strings: cStrings)

    private static let cpp = Grammar(
        [.calls, .preprocessor, .capitalizedTypes],
        keywords: cKeywords + """
             and asm catch class co_await co_return co_yield concept consteval constinit const_cast decltype delete dynamic_cast explicit
            export final friend import module mutable namespace new noexcept not operator or override private protected public
            reinterpret_cast requires static_cast template this throw try typeid typename using virtual xor
            """,
        types: cTypes + """
             wchar_t char8_t char16_t char32_t string string_view vector map set unordered_map unordered_set pair tuple optional variant
            unique_ptr shared_ptr weak_ptr array span function
            """,
        typeDeclarers: "struct enum union class concept", strings: cStrings)

    private static let objectiveC = Grammar(
        [.calls, .preprocessor, .capitalizedTypes],
        keywords: cKeywords + """
             self super nil Nil YES NO in out inout id instancetype nonatomic atomic strong weak assign copy readonly readwrite retain
            nullable nonnull class new delete template typename namespace using public private protected virtual this try catch throw
            __weak __strong __block __bridge
            """,
        types: cTypes + " BOOL SEL IMP id instancetype", typeDeclarers: "struct enum union", strings: cStrings)

    private static let cSharp = Grammar(
        [.capitalizedTypes, .calls, .preprocessor],
        keywords: """
            abstract add alias and as ascending async await base break by case catch checked class const continue default delegate descending
            do else enum equals event explicit extern false file finally fixed for foreach from get global goto group if implicit in init
            interface internal into is join let lock namespace new not null on operator or orderby out override params partial private
            protected public readonly record ref remove required return scoped sealed select set sizeof stackalloc static struct switch this
            throw true try typeof unchecked unsafe using value var virtual volatile when where while with yield
            """,
        types: """
            bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void
            """,
        typeDeclarers: "class struct enum interface record", strings: cStrings)

    // MARK: Java virtual machine

    private static let java = Grammar(
        [.capitalizedTypes, .calls, .atAttributes],
        keywords: """
            abstract assert break case catch class const continue default do else enum exports extends false final finally for goto if
            implements import instanceof interface module native new non-sealed null opens package permits private protected public record
            requires return sealed static strictfp super switch synchronized this throw throws transient true try uses var volatile when
            while with yield
            """,
        types: "boolean byte char double float int long short void", typeDeclarers: "class enum interface record",
        strings: [StringRule("\"\"\"", isMultiline: true)] + cStrings, nameBytes: [.dollar])

    private static let kotlin = Grammar(
        [.capitalizedTypes, .calls, .atAttributes],
        keywords: """
            abstract actual annotation as break by catch class companion const constructor continue crossinline data delegate do dynamic else
            enum expect external false final finally for fun get if import in infix init inline inner interface internal is it lateinit
            noinline null object open operator out override package private protected public reified return sealed set super suspend
            tailrec this throw true try typealias typeof val value var vararg when where while
            """,
        functionDeclarers: "fun", typeDeclarers: "class interface object typealias", nestsComments: true,
        strings: [
            StringRule("\"\"\"", escape: "", isMultiline: true, interpolations: [.dollarBrace]),
            StringRule("\"", interpolations: [.dollarBrace]), StringRule("'"),
        ])

    // MARK: Web

    private static let javaScriptKeywords = """
        async await break case catch class const continue debugger default delete do else export extends false finally for from function get
        if import in instanceof let new null of return set static super switch this throw true try typeof undefined using var void while
        with yield
        """
    private static let typeScriptKeywords =
        javaScriptKeywords + """
             abstract accessor as asserts declare enum global implements infer interface is keyof module namespace out override private
            protected public readonly satisfies type unique
            """
    private static let typeScriptTypes = "any bigint boolean never number object string symbol unknown void"
    private static let javaScriptStrings = [
        StringRule("\""), StringRule("'"), StringRule("`", isMultiline: true, interpolations: [.dollarBrace]),
    ]

    private static let javaScript = Grammar(
        [.capitalizedTypes, .calls, .atAttributes, .regularExpressions, .elements], keywords: javaScriptKeywords,
        functionDeclarers: "function", typeDeclarers: "class", strings: javaScriptStrings, nameBytes: [.dollar])
    private static let typeScript = Grammar(
        [.capitalizedTypes, .calls, .atAttributes, .regularExpressions], keywords: typeScriptKeywords, types: typeScriptTypes,
        functionDeclarers: "function", typeDeclarers: "class interface enum namespace type", strings: javaScriptStrings,
        nameBytes: [.dollar])
    private static let tsx = Grammar(
        [.capitalizedTypes, .calls, .atAttributes, .regularExpressions, .elements], keywords: typeScriptKeywords,
        types: typeScriptTypes,
        functionDeclarers: "function", typeDeclarers: "class interface enum namespace type", strings: javaScriptStrings,
        nameBytes: [.dollar])

    private static let php = Grammar(
        [.capitalizedTypes, .calls, .hashAttributes],
        keywords: """
            abstract and as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare
            endfor endforeach endif endswitch endwhile enum extends false final finally fn for foreach function global goto if implements
            include include_once instanceof insteadof interface isset list match namespace new null or parent print private protected public
            readonly require require_once return self static switch this throw trait true try unset use var while xor yield from
            """,
        types: "array bool float int iterable mixed never object string void", functionDeclarers: "function",
        typeDeclarers: "class interface trait enum", lineComments: ["//", "#"],
        strings: [
            StringRule("\"", isMultiline: true, interpolations: [.braceDollar]), StringRule("'", isMultiline: true),
            StringRule("`", isMultiline: true),
        ], nameBytes: [.dollar])

    // MARK: Scripts

    private static let python = Grammar(
        [.capitalizedTypes, .calls],
        keywords: """
            False None True and as assert async await break case class continue def del elif else except finally for from global if import
            in is lambda match nonlocal not or pass raise return self cls try type while with yield
            """,
        types: "bool bytearray bytes complex dict float frozenset int list object set str tuple", functionDeclarers: "def",
        typeDeclarers: "class", lineComments: ["#"], blockComment: nil, strings: [])

    private static let ruby = Grammar(
        [.capitalizedTypes, .calls, .regularExpressions],
        keywords: """
            __FILE__ __LINE__ alias and begin BEGIN break case class def defined? do else elsif end END ensure extend false for if in include
            loop module next nil not or prepend private protected public raise redo require require_relative rescue retry return self super
            then true undef unless until when while yield attr_accessor attr_reader attr_writer
            """,
        functionDeclarers: "def", typeDeclarers: "class module", lineComments: ["#"], blockComment: nil,
        strings: [
            StringRule("\"", isMultiline: true, interpolations: [.hashBrace]), StringRule("'", isMultiline: true),
            StringRule("`", isMultiline: true, interpolations: [.hashBrace]),
        ], nameBytes: [.questionMark])

    private static let shell = Grammar(
        keywords: "", lineComments: ["#"], blockComment: nil,
        strings: [
            StringRule("\"", isMultiline: true, interpolations: [.dollarParenthesis, .dollarBrace]),
            StringRule("'", escape: "", isMultiline: true),
        ])

    // MARK: Systems

    private static let go = Grammar(
        .calls,
        keywords: """
            break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package
            range return select struct switch true type var
            """,
        types: """
            any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32
            uint64 uint8 uintptr
            """,
        functionDeclarers: "func", typeDeclarers: "type",
        strings: [StringRule("\""), StringRule("'"), StringRule("`", escape: "", isMultiline: true)])

    private static let rust = Grammar(
        [.capitalizedTypes, .calls, .hashAttributes],
        keywords: """
            as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop macro_rules match mod move
            mut pub ref return self static struct super trait true type union unsafe use where while yield
            """,
        types: "bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize Self", functionDeclarers: "fn",
        typeDeclarers: "struct enum trait type union", nestsComments: true, strings: [StringRule("\"", isMultiline: true)])

    // MARK: Data

    private static let sql = Grammar(
        [.calls, .ignoresCase],
        keywords: """
            add all alter always analyze and any as asc autoincrement before after begin between by cascade case cast check collate column
            commit conflict constraint create cross current_date current_time current_timestamp cursor database declare default deferrable
            delete desc distinct do drop each else elsif end escape except exclude execute exists explain false fetch filter first following
            for foreign from full function generated grant group groups having if ignore immediate in index inner insert instead intersect
            into is isnull join key language last lateral left like limit loop materialized natural no not nothing notnull null nulls of
            offset on only or order others outer over partition plan pragma preceding primary procedure raise range recursive references
            regexp reindex release rename replace restrict return returning returns revoke right rollback row rows savepoint schema select
            sequence set strict table temp temporary then ties to transaction trigger true truncate unbounded union unique update using
            vacuum values view virtual when where while window with without
            """,
        types: """
            any bigint bigserial binary bit blob bool boolean bytea char character clob date datetime decimal double float int integer
            interval json jsonb numeric nvarchar precision real serial smallint text time timestamp timestamptz tinyint uuid varbinary
            varchar
            """,
        lineComments: ["--"],
        strings: [
            StringRule("'", escape: "", isDoubled: true, isMultiline: true), StringRule("\"", escape: "", isDoubled: true),
            StringRule("`", escape: ""),
        ])

    private static let json = Grammar(
        .stringKeys, keywords: "true false null Infinity NaN", lineComments: ["//"], strings: [StringRule("\""), StringRule("'")])

    private static let toml = Grammar(
        keywords: "true false inf nan", lineComments: ["#"], blockComment: nil,
        strings: [
            StringRule("\"\"\"", isMultiline: true), StringRule("'''", escape: "", isMultiline: true), StringRule("\""),
            StringRule("'", escape: ""),
        ])
}
