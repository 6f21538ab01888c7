/// A language that can be highlighted.
package enum CodeLanguage: String, Hashable, Sendable, CaseIterable, Codable {
    case swift, c, cpp, objectiveC, java, kotlin, javaScript, typeScript, tsx, python, ruby, go, rust, php, cSharp, shell, sql
    case html, xml, css, json, yaml, toml, markdown, dockerfile, makefile, diff

    /// The display name, for example "Objective-C".
    package var name: String {
        switch self {
        case .swift: "Swift"
        case .c: "C"
        case .cpp: "C++"
        case .objectiveC: "Objective-C"
        case .java: "Java"
        case .kotlin: "Kotlin"
        case .javaScript: "JavaScript"
        case .typeScript: "TypeScript"
        case .tsx: "TSX"
        case .python: "Python"
        case .ruby: "Ruby"
        case .go: "Go"
        case .rust: "Rust"
        case .php: "PHP"
        case .cSharp: "C#"
        case .shell: "Shell"
        case .sql: "SQL"
        case .html: "HTML"
        case .xml: "XML"
        case .css: "CSS"
        case .json: "JSON"
        case .yaml: "YAML"
        case .toml: "TOML"
        case .markdown: "Markdown"
        case .dockerfile: "Dockerfile"
        case .makefile: "Makefile"
        case .diff: "Diff"
        }
    }

    /// The language of a file, by its name and then by its extension; nil if it is unknown. `fileName` may be a path.
    package init?(fileName: String) {
        let name = fileName.split(separator: "/").last.map { String($0).lowercased() } ?? ""
        if let language = Self.names[name] {
            self = language
            return
        }
        if name.hasPrefix("dockerfile.") || name.hasPrefix("containerfile.") {
            self = .dockerfile
            return
        }
        guard let dot = name.lastIndex(of: "."), let language = Self.extensions[String(name[name.index(after: dot)...])] else {
            return nil
        }
        self = language
    }

    /// The language of a fenced code block of Markdown, by the first word after the fence, for example `swift` or `c++`; nil if it is unknown.
    ///
    /// Also accepts the forms of other tools: `{.swift}`, `swift,ignore`, `swift:Sources/File.swift`.
    package init?(fence: String) {
        var word = fence.drop { $0 == " " || $0 == "{" || $0 == "." }
        word = word.prefix { !" ,:{}".contains($0) }
        let name = word.lowercased()
        guard let language = Self.fenceWords[name] ?? Self.extensions[name] ?? Self.names[name] else { return nil }
        self = language
    }

    /// Whole file names, in lowercase.
    private static let names: [String: CodeLanguage] = [
        "dockerfile": .dockerfile, "containerfile": .dockerfile, "makefile": .makefile, "gnumakefile": .makefile,
        "gemfile": .ruby, "rakefile": .ruby, "podfile": .ruby, "fastfile": .ruby, "vagrantfile": .ruby, "brewfile": .ruby,
        "package.resolved": .json, ".swift-format": .json, ".prettierrc": .json, ".babelrc": .json, ".eslintrc": .json,
        "cargo.lock": .toml, "poetry.lock": .toml, "pipfile": .toml,
        ".bashrc": .shell, ".bash_profile": .shell, ".bash_aliases": .shell, ".profile": .shell, ".zshrc": .shell,
        ".zshenv": .shell,
        ".zprofile": .shell, ".envrc": .shell, ".env": .shell, "pkgbuild": .shell, "apkbuild": .shell,
        ".clang-format": .yaml, ".clang-tidy": .yaml, ".clangd": .yaml,
    ]

    /// File name extensions, in lowercase.
    private static let extensions: [String: CodeLanguage] = [
        "swift": .swift, "swiftinterface": .swift,
        "c": .c, "h": .c, "modulemap": .c,
        "cc": .cpp, "cpp": .cpp, "cxx": .cpp, "hh": .cpp, "hpp": .cpp, "hxx": .cpp, "ipp": .cpp, "inl": .cpp, "ino": .cpp,
        "cu": .cpp,
        "m": .objectiveC, "mm": .objectiveC,
        "java": .java, "kt": .kotlin, "kts": .kotlin, "gradle": .kotlin,
        "js": .javaScript, "mjs": .javaScript, "cjs": .javaScript, "jsx": .javaScript,
        "ts": .typeScript, "mts": .typeScript, "cts": .typeScript, "tsx": .tsx,
        "py": .python, "pyi": .python, "pyw": .python, "bzl": .python,
        "rb": .ruby, "rake": .ruby, "gemspec": .ruby, "podspec": .ruby, "ru": .ruby,
        "go": .go, "rs": .rust, "php": .php, "phtml": .php, "cs": .cSharp, "csx": .cSharp,
        "sh": .shell, "bash": .shell, "zsh": .shell, "ksh": .shell, "bats": .shell,
        "sql": .sql, "psql": .sql, "ddl": .sql,
        "html": .html, "htm": .html, "xhtml": .html, "vue": .html, "svelte": .html,
        "xml": .xml, "plist": .xml, "svg": .xml, "xsd": .xml, "xsl": .xml, "xslt": .xml, "storyboard": .xml, "xib": .xml,
        "entitlements": .xml,
        "rss": .xml, "atom": .xml, "csproj": .xml, "props": .xml, "xcscheme": .xml,
        "css": .css, "scss": .css, "less": .css,
        "json": .json, "jsonc": .json, "json5": .json, "jsonl": .json, "ndjson": .json, "webmanifest": .json, "geojson": .json,
        "ipynb": .json, "xcstrings": .json,
        "yaml": .yaml, "yml": .yaml, "toml": .toml, "md": .markdown, "markdown": .markdown, "mdx": .markdown,
        "dockerfile": .dockerfile, "mk": .makefile, "mak": .makefile, "diff": .diff, "patch": .diff,
    ]

    /// Words after a fence that are not extensions as well, in lowercase.
    private static let fenceWords: [String: CodeLanguage] = [
        "c++": .cpp, "h++": .cpp, "objective-c": .objectiveC, "objectivec": .objectiveC, "objc": .objectiveC, "obj-c": .objectiveC,
        "objective-c++": .objectiveC, "objcpp": .objectiveC, "kotlin": .kotlin, "javascript": .javaScript, "node": .javaScript,
        "typescript": .typeScript, "python": .python, "python3": .python, "ruby": .ruby, "golang": .go, "rust": .rust,
        "c#": .cSharp,
        "csharp": .cSharp, "shell": .shell, "console": .shell, "shellscript": .shell, "shell-session": .shell, "terminal": .shell,
        "postgres": .sql, "postgresql": .sql, "mysql": .sql, "sqlite": .sql, "sqlite3": .sql, "plpgsql": .sql,
        "docker": .dockerfile, "make": .makefile, "udiff": .diff,
    ]
}
