// swift-tools-version: 6.2
import PackageDescription

// MARK: Settings of every target

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error, .when(platforms: [.linux])),
]

/// Views live on the main actor.
let appSettings = settings + [.defaultIsolation(MainActor.self)]

#if os(Linux)
    let isLinux = true
#else
    let isLinux = false
#endif

/// Views use parts of SwiftUI that macOS lacks, and a build for a Mac builds every module of the package. `Scripts/build` sets the variable on a Mac;
/// Xcode, which builds the iPhone apps, does not. See `Docs/Decisions/0091-a-build-for-a-mac-leaves-the-views-out.md`.
let hasViews = isLinux || Context.environment["SWITCHBOARD_NO_VIEWS"] == nil

/// The module of that name in this package. On Apple's systems views use Apple's.
let swiftUI: [Target.Dependency] = isLinux ? ["SwiftUI", "Charts"] : []

/// What the entry point of every iPhone app imports beside its system: see `Docs/Apple.md`.
let phoneModules = ["NetworkingKit", "PlatformKit", "ViewKit"] + (isLinux ? [] : ["ApplePlatform"])

// MARK: Products of other packages

extension Target.Dependency {
    static let argumentParser: Self = .product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncAlgorithms: Self = .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
    static let asyncHTTPClient: Self = .product(name: "AsyncHTTPClient", package: "async-http-client")
    static let configuration: Self = .product(name: "Configuration", package: "swift-configuration")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite: Self = .product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore: Self = .product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdHTTP2: Self = .product(name: "HummingbirdHTTP2", package: "hummingbird")
    static let hummingbirdTLS: Self = .product(name: "HummingbirdTLS", package: "hummingbird")
    static let jwt: Self = .product(name: "JWTKit", package: "jwt-kit")
    static let lifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let metrics: Self = .product(name: "CoreMetrics", package: "swift-metrics")
    static let nioConcurrency: Self = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio")
    static let nioFoundation: Self = .product(name: "NIOFoundationCompat", package: "swift-nio")
    static let nioHTTP1: Self = .product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypes: Self = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP1: Self = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS: Self = .product(name: "NIOTLS", package: "swift-nio")
    static let nioWebSocket: Self = .product(name: "NIOWebSocket", package: "swift-nio")
    static let subprocess: Self = .product(name: "Subprocess", package: "swift-subprocess")
    static let systemPackage: Self = .product(name: "SystemPackage", package: "swift-system")
    static let swiftASN1: Self = .product(name: "SwiftASN1", package: "swift-asn1")
    static let unixSignals: Self = .product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let x509: Self = .product(name: "X509", package: "swift-certificates")
}

/// The words of every language, English first.
func words(_ languages: String...) -> [Resource] { languages.map { .process("\($0).lproj") } }
let localized = words("en", "ko")
/// The words of what every app shows.
let localizedForAll = words("en", "ko", "zh-Hant")

// MARK: Kits

/// A module and its tests. `WireKit` in `Kits`: `Sources/Kits/WireKit`, `Tests/Kits/WireKitTests`. `TalkCoEnglish` in `TalkCo`:
/// `Sources/TalkCo/English`, `Tests/TalkCo/EnglishTests`. A module with `tests: nil` is tested with another one. `excludes` are folders of both.
func module(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency], excluding excludes: [String] = [],
    resources: [Resource] = [], tests: [Target.Dependency]?
) -> [Target] {
    let path = "\(folder)/\(name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : name)"
    let target = Target.target(
        name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: excludes, resources: resources,
        swiftSettings: settings)
    guard let tests else { return [target] }
    return [
        target,
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestKit"] + tests, path: "Tests/\(path)Tests",
            exclude: excludes, swiftSettings: settings),
    ]
}

/// A kit: what two systems share.
func kit(
    _ name: String, _ dependencies: [Target.Dependency], excluding excludes: [String] = [], resources: [Resource] = [],
    tests: [Target.Dependency]?
) -> [Target] { module(name, in: "Kits", dependencies, excluding: excludes, resources: resources, tests: tests) }

/// The iPhone as a phone: what every app has, and a module of each capability that an app may not contain without declaring it. See
/// `Docs/Decisions/0090-an-app-links-the-capabilities-it-uses.md`. `Scripts/check-apple` checks them on Linux.
let device: [Target] =
    isLinux || !hasViews
    ? []
    : kit("ApplePlatform", ["AudioKit", "PlatformKit"], tests: nil)
        + kit("AppleActivities", ["ApplePlatform", "PlatformKit", "WireKit"], tests: nil)
        + kit("AppleCamera", ["ApplePlatform", "PlatformKit"], tests: nil)
        + kit("AppleOwner", ["ApplePlatform", "PlatformKit"], tests: nil)
        + kit("ApplePush", ["ApplePlatform", "PlatformKit", "WireKit"], tests: nil)
        + kit("AppleVoice", ["ApplePlatform", "AudioKit", "PlatformKit"], tests: nil)

let kits =
    kit("WireKit", [], tests: [])
    + kit("PlatformKit", ["WireKit", "AudioKit", .swiftASN1], tests: ["AudioKit", "PhoneTestKit", "WireKit"])
    + kit("QRCode", [], tests: [])
    // The types of paths and descriptors that swift-subprocess takes: on a Mac the system has its own.
    + kit("SystemTypes", isLinux ? [.systemPackage] : [], tests: nil)
    + kit("MarkdownKit", [], tests: [])
    + kit("HighlightKit", [], tests: [])
    + kit("AudioKit", [], tests: [])
    + (hasViews
        ? kit(
            "ViewKit", ["PlatformKit", "MarkdownKit", "HighlightKit", "WireKit"] + swiftUI, resources: localizedForAll,
            // Views are tested with the driver of SwiftUI on Linux.
            tests: isLinux ? ["PhoneTestKit", "PlatformKit", "MarkdownKit", "HighlightKit"] + swiftUI : nil) : [])
    + kit(
        "NetworkingKit", ["WireKit", .httpTypes, .crypto],
        tests: [
            "WireKit", "ServerKit", "StorageKit", "ClientKit", "NIOTransport", .httpTypes, .hummingbird, .nioCore, .nioPosix,
            .nioSSL,
        ])
    + kit(
        "NIOTransport",
        [
            "NetworkingKit", "WireKit", .httpTypes, .asyncHTTPClient, .asyncAlgorithms, .nioCore, .nioPosix, .nioHTTP1,
            .nioWebSocket, .nioFoundation, .nioSSL, .nioTLS,
        ], tests: nil)
    + kit(
        "SwarmTransport",
        [
            "NetworkingKit", "Hyperswarm", "HyperDHT", "DHTRPC", "SecretStream", "UDX", "CompactEncoding", "CryptoPrimitives",
            "WireKit", .nioCore, .nioFoundation,
        ], tests: ["NetworkingKit", "HyperDHT", "DHTRPC", "CompactEncoding", "CryptoPrimitives", "HyperswarmTestKit"])
    + kit(
        "StorageKit", ["WireKit", "NetworkingKit", .grdb, .grdbSQLite, .crypto] + (isLinux ? ["CPostgreSQL"] : []),
        excluding: isLinux ? [] : ["PostgreSQL"], tests: ["WireKit", "NetworkingKit", .grdb])
    + (isLinux
        ? [
            .systemLibrary(
                name: "CPostgreSQL", path: "Sources/Kits/CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])])
        ] : [])
    + kit(
        "ClientKit", ["WireKit", "NetworkingKit", "StorageKit", "PlatformKit"],
        tests: ["WireKit", "NetworkingKit", "StorageKit", "PhoneTestKit", "PlatformKit"])
    + kit(
        "ServerKit",
        [
            "WireKit", "NetworkingKit", "StorageKit", .asyncAlgorithms, .hummingbird, .hummingbirdCore, .hummingbirdTLS, .httpTypes,
            .logging, .lifecycle, .metrics, .configuration, .crypto, .cryptoExtras, .jwt, .nioCore, .nioPosix,
            .nioFoundation, .nioHTTP1, .nioWebSocket, .nioSSL, .nioHTTPTypes, .nioHTTPTypesHTTP1, .swiftASN1, .x509,
        ],
        tests: [
            "WireKit", "NetworkingKit", .hummingbird, .hummingbirdCore, .httpTypes, .logging, .lifecycle, .metrics, .crypto, .jwt,
            .nioCore, .nioEmbedded, .nioWebSocket,
        ])
    + kit(
        "PushKit",
        [
            "WireKit", "NetworkingKit", "NIOTransport", "StorageKit", "ServerKit", .asyncHTTPClient, .httpTypes, .crypto, .jwt,
            .logging, .lifecycle, .metrics, .nioCore, .nioPosix, .nioSSL,
        ],
        tests: [
            "PushTestKit", "WireKit", "NetworkingKit", "NIOTransport", "StorageKit", "ServerKit", .asyncHTTPClient, .httpTypes,
            .crypto, .hummingbird, .hummingbirdCore, .logging, .lifecycle, .nioCore, .nioSSL,
        ])
    + (isLinux
        ? [.systemLibrary(name: "CZBar", path: "Sources/Kits/CZBar", providers: [.apt(["libzbar0"])])]
            + kit("QRScanning", ["CZBar"], tests: ["QRCode"]) : [])
    + (isLinux
        ? [
            .systemLibrary(
                name: "CDNSSD", path: "Sources/Kits/CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])])
        ] : [])
    + kit("DiscoveryKit", ["PlatformKit", "WireKit"] + (isLinux ? ["CDNSSD"] : []), tests: ["PlatformKit", "WireKit"])
    + device
    + [
        // For tests only.
        .executableTarget(
            name: "discovery-probe", dependencies: ["DiscoveryKit", "PlatformKit"], path: "Tests/Kits/DiscoveryProbe",
            swiftSettings: settings),
        .target(
            name: "TestKit",
            dependencies: [
                "WireKit", "NetworkingKit", "ServerKit", "StorageKit", .httpTypes, .hummingbird, .hummingbirdCore, .logging,
                .lifecycle,
                .nioCore, .nioPosix, .subprocess, "SystemTypes",
            ],
            path: "Tests/Kits/TestKit", swiftSettings: settings),
        .target(
            name: "PhoneTestKit", dependencies: ["PlatformKit", "WireKit"], path: "Tests/Kits/PhoneTestKit", swiftSettings: settings
        ),
        .target(
            name: "PushTestKit",
            dependencies: [
                "PushKit", "TestKit", "WireKit", .asyncHTTPClient, .crypto, .httpTypes, .hummingbird, .hummingbirdHTTP2, .lifecycle,
                .logging, .nioCore, .nioSSL,
            ],
            path: "Tests/Kits/PushTestKit", swiftSettings: settings),
    ]

// MARK: Systems

/// A part of a system. See `Docs/Architecture.md`.
struct Part {
    enum Kind: String {
        /// Messages and endpoints, which travel between client and service.
        case wire = "Wire"
        /// The calls that several programs make: a client and a host, or the service of another system.
        case calls = "Calls"
        /// The server side.
        case service = "Service"
        /// The program on the user's own machine, where it is not the service.
        case host = "Host"
        /// The app without its views: state, rules and calls.
        case client = "Client"
        /// Views.
        case app = "App"
    }

    var kind: Kind
    /// Dependencies of this part only, beside those that the part has in every system.
    var dependencies: [Target.Dependency]
    /// Dependencies of the tests of this part only.
    var testDependencies: [Target.Dependency] = []
    var excludes: [String] = []
    var resources: [Resource] = []
    /// The words of an app.
    var words: [Resource] = []
    /// Modules of this package that the entry point of the iPhone app imports, beside those that every one does.
    var phoneModules: [String] = []
    /// The modules of ``device`` among them.
    var capabilities: [String] = []

    static func wire(_ dependencies: Target.Dependency...) -> Part { Part(kind: .wire, dependencies: dependencies) }
    static func calls(_ dependencies: Target.Dependency...) -> Part { Part(kind: .calls, dependencies: dependencies) }
    static func service(
        _ dependencies: Target.Dependency..., tests: [Target.Dependency] = [], resources: [Resource] = []
    ) -> Part {
        Part(kind: .service, dependencies: dependencies, testDependencies: tests, resources: resources)
    }
    static func host(_ dependencies: Target.Dependency...) -> Part { Part(kind: .host, dependencies: dependencies) }
    static func client(_ dependencies: Target.Dependency..., tests: [Target.Dependency] = []) -> Part {
        Part(kind: .client, dependencies: dependencies, testDependencies: tests)
    }
    static func app(
        _ dependencies: Target.Dependency..., excluding excludes: [String] = [], resources: [Resource] = [],
        words: [Resource] = localized, phoneModules: [String] = [], capabilities: [String] = []
    ) -> Part {
        Part(
            kind: .app, dependencies: dependencies, excludes: excludes, resources: resources, words: words,
            phoneModules: phoneModules, capabilities: capabilities)
    }
}

/// Libraries that every service uses.
let serverDependencies: [Target.Dependency] = [
    "ServerKit", .hummingbird, .hummingbirdCore, .logging, .lifecycle, .metrics, .httpTypes, .nioCore,
]

/// The dependencies, each module of this package once.
func distinct(_ dependencies: [Target.Dependency]) -> [Target.Dependency] {
    var names: Set<String> = []
    return dependencies.filter { if case .byNameItem(let name, _) = $0 { names.insert(name).inserted } else { true } }
}

/// One system: the targets of its parts and of their tests, with the only dependencies allowed.
struct System {
    let targets: [Target]
    /// The parts that `switchboard` links.
    let programDependencies: [Target.Dependency]
    /// What the Xcode project links; nil without views.
    let product: Product?
}

func system(_ name: String, _ parts: Part...) -> System {
    let parts = parts.filter { hasViews || $0.kind != .app }
    let kinds = Set(parts.map(\.kind))
    func module(_ kind: Part.Kind) -> Target.Dependency { .byName(name: name + kind.rawValue) }
    let (wire, service, host, client, app) = (module(.wire), module(.service), module(.host), module(.client), module(.app))
    let calls = kinds.contains(.calls) ? [module(.calls)] : []
    let testKit = Target.Dependency.byName(name: "\(name)TestKit")
    let serviceDependencies = parts.first { $0.kind == .service }?.dependencies ?? []
    func target(_ part: Part, _ dependencies: [Target.Dependency], _ flags: [SwiftSetting] = settings) -> Target {
        .target(
            name: name + part.kind.rawValue, dependencies: dependencies + part.dependencies,
            path: "Sources/\(name)/\(part.kind.rawValue)", exclude: part.excludes,
            resources: part.resources + part.words, swiftSettings: flags)
    }
    func tests(_ part: Part, _ dependencies: [Target.Dependency], _ flags: [SwiftSetting] = settings) -> Target {
        .testTarget(
            name: "\(name)\(part.kind.rawValue)Tests",
            dependencies: distinct(["TestKit", wire, "WireKit"] + dependencies + part.dependencies + part.testDependencies),
            path: "Tests/\(name)/\(part.kind.rawValue)Tests", swiftSettings: flags)
    }

    let targets = parts.flatMap { part -> [Target] in
        switch part.kind {
        case .wire: [target(part, ["WireKit"]), tests(part, [])]
        // Tested by the tests of the client and of the host.
        case .calls: [target(part, [wire, "WireKit", "NetworkingKit", .httpTypes])]
        case .service:
            [
                target(part, [wire, "WireKit", "NetworkingKit", "StorageKit"] + serverDependencies),
                tests(
                    part,
                    [service, "StorageKit", "NetworkingKit", "NIOTransport", .jwt, .cryptoExtras, .nioPosix] + serverDependencies),
            ]
        case .host:
            [
                target(part, calls + [wire, "WireKit", "NetworkingKit", "StorageKit", .httpTypes]),
                tests(
                    part,
                    calls + [
                        host, service, "NetworkingKit", "NIOTransport", "StorageKit", "ServerKit", .logging, .lifecycle, .httpTypes,
                    ]),
            ]
        case .client:
            [
                target(part, calls + [wire, "WireKit", "NetworkingKit", "ClientKit", "PlatformKit", "QRCode", .httpTypes]),
                // The client on the real service, in one process.
                .target(
                    name: "\(name)TestKit",
                    dependencies: distinct(
                        [
                            wire, client, service, "WireKit", "NetworkingKit", "NIOTransport", "PhoneTestKit", "PlatformKit",
                            "ServerKit",
                            "StorageKit", "TestKit", .httpTypes, .lifecycle, .logging,
                        ] + serviceDependencies + (kinds.contains(.host) ? [host] : [])),
                    path: "Tests/\(name)/TestKit", swiftSettings: settings),
                tests(
                    part,
                    calls + [
                        testKit, client, "NetworkingKit", "StorageKit", "ClientKit", "PhoneTestKit", "PlatformKit", .httpTypes,
                    ]),
            ]
        case .app:
            [target(part, [client, wire, "PlatformKit"] + swiftUI, appSettings)]
                // Views are tested with the driver of SwiftUI on Linux.
                + (isLinux ? [tests(part, [app, client, testKit, "PhoneTestKit", "PlatformKit"] + swiftUI, appSettings)] : [])
        }
    }
    let linked: [Part.Kind] = [.wire, .service, .host, .client] + (isLinux ? [.app] : [])
    let phoneModules = phoneModules + parts.flatMap { $0.phoneModules + (isLinux ? [] : $0.capabilities) }
    return System(
        targets: targets, programDependencies: linked.filter(kinds.contains).map(module),
        product: hasViews
            ? .library(name: "\(name)App", targets: ["App", "Client", "Wire"].map { name + $0 } + phoneModules) : nil)
}

let systems = [
    system(
        "Pager2077", .wire(), .service("PushKit"), .client(),
        .app(
            "ViewKit", excluding: ["Font"], resources: [.copy("Resources/PagerLCD.ttf")],
            capabilities: ["AppleActivities", "ApplePush"])),
    system(
        "SimBridge", .wire(), .calls(), .service("PushKit", tests: ["PushTestKit"]), .host(.subprocess, "SystemTypes"), .client(),
        .app("ViewKit", capabilities: ["AppleOwner", "ApplePush"])),
    // The service is the host: it runs on the user's own computer.
    system(
        "LocalLLM", .wire("CryptoPrimitives"), .calls(),
        .service("CryptoPrimitives", "MarkdownKit", tests: ["LocalLLMTestKit", "LocalLLMClient"]), .client("MarkdownKit"),
        .app("ViewKit", phoneModules: ["SwarmTransport"], capabilities: ["AppleCamera"])),
    system(
        "EndlessCode", .wire(),
        .service("EndlessCodeAgents", "EndlessCodeProjects", "PushKit", .crypto, tests: ["demo-agent", "PushTestKit"]),
        .client("HighlightKit", tests: ["demo-agent", "ServerKit", "NIOTransport", "HighlightKit"]),
        .app(
            "HighlightKit", "MarkdownKit", "ViewKit", phoneModules: ["DiscoveryKit"],
            capabilities: ["AppleCamera", "ApplePush"])),
    system(
        "TalkCo", .wire(),
        .service(
            // LocalLLM: learners may choose a host as the tutor's model.
            "AudioKit", "LocalLLMCalls", "LocalLLMWire", "MarkdownKit", "NIOTransport", "TalkCoEnglish", .crypto, .subprocess,
            "SystemTypes",
            tests: [
                "CryptoPrimitives", "HyperDHT", "HyperswarmTestKit", "LocalLLMService", "LocalLLMTestKit", "SwarmTransport",
                "TalkCoStandIns",
            ],
            // Whisper and Piper: the programs that install and run them. The built-in tutor's texts.
            resources: [.copy("Speech"), .copy("Resources/Tutor")]),
        .client("AudioKit", tests: ["TalkCoStandIns"]), .app("ViewKit", words: words("en", "zh-Hant"), capabilities: ["AppleVoice"])
    ),
]

/// What a system has beside its parts. Its service uses them; no iPhone app links them.
let parts: [Target] =
    // Coding agents as child processes.
    module(
        "EndlessCodeAgents", in: "EndlessCode", ["WireKit", .subprocess, "SystemTypes"],
        tests: ["WireKit", "demo-agent", .httpTypes, .hummingbird, .nioCore])
    // The folders of projects.
    + module(
        "EndlessCodeProjects", in: "EndlessCode", ["WireKit", .crypto, .subprocess, "SystemTypes"], tests: ["WireKit"])
    // The marker of English, and its parser.
    + module(
        "TalkCoEnglish", in: "TalkCo", ["WireKit"] + (isLinux ? ["CLinkGrammar"] : []),
        resources: ["edits.json", "expressions.txt", "lexicon.json", "rules.json"].map { .copy("Resources/\($0)") }, tests: [])
    + (isLinux
        ? [
            .systemLibrary(
                name: "CLinkGrammar", path: "Sources/TalkCo/CLinkGrammar", pkgConfig: "link-grammar",
                providers: [.apt(["liblink-grammar-dev"])])
        ] : [])

/// The servers of models that TalkCo calls, played for tests.
let modelServers: [Target] = [
    .target(
        name: "TalkCoStandIns",
        dependencies: [
            "TestKit", "ServerKit", "WireKit", "NetworkingKit", "AudioKit", .httpTypes, .hummingbird, .hummingbirdCore, .lifecycle,
            .logging, .nioCore,
        ],
        path: "Tests/TalkCo/StandIns", swiftSettings: settings),
    .executableTarget(
        name: "model-servers", dependencies: ["TalkCoStandIns", "TestKit", .logging], path: "Tests/TalkCo/ModelServers",
        swiftSettings: settings),
]

/// A coding agent that follows a script, for hosts without another one: a hidden verb of the program.
let demoAgent: [Target] = [
    .target(
        name: "EndlessCodeDemo", dependencies: ["EndlessCodeAgents", "WireKit"], path: "Sources/EndlessCode/DemoAgent",
        swiftSettings: settings),
    // For tests only.
    .executableTarget(
        name: "demo-agent", dependencies: ["EndlessCodeDemo"], path: "Tests/EndlessCode/DemoAgent", swiftSettings: settings),
]

/// Tests of client and host together that keep the machine busy, or need real streams of the peer-to-peer network.
let lineTests: [Target] = [
    .testTarget(
        name: "LocalLLMLineTests",
        dependencies: [
            "LocalLLMTestKit", "LocalLLMWire", "LocalLLMClient", "LocalLLMService", "CryptoPrimitives", "HyperDHT",
            "HyperswarmTestKit", "NetworkingKit", "PhoneTestKit", "PlatformKit", "SwarmTransport", "TestKit", "WireKit",
        ],
        path: "Tests/LocalLLM/LineTests", swiftSettings: settings)
]

// MARK: Hyperswarm

/// A module of Hyperswarm and its tests: `Sources/Hyperswarm/<name>`, `Tests/Hyperswarm/<name>Tests`.
func swarmModule(_ name: String, _ dependencies: [Target.Dependency], tests: [Target.Dependency] = []) -> [Target] {
    [
        .target(name: name, dependencies: dependencies, path: "Sources/Hyperswarm/\(name)", swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "HyperswarmTestKit"] + dependencies + tests,
            path: "Tests/Hyperswarm/\(name)Tests", swiftSettings: settings),
    ]
}

/// The peer-to-peer network, from the bottom up.
let hyperswarm: [Target] =
    [
        isLinux
            ? .systemLibrary(
                name: "CSodium", path: "Sources/Hyperswarm/CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])])
            : .target(
                name: "CSodium", dependencies: [.product(name: "Clibsodium", package: "swift-sodium")],
                path: "Sources/Hyperswarm/AppleSodium", swiftSettings: settings)
    ]
    + swarmModule("CompactEncoding", [])
    + swarmModule("CryptoPrimitives", ["CSodium"])
    + swarmModule("Noise", ["CryptoPrimitives"])
    + swarmModule("SecretStream", ["Noise", "CryptoPrimitives"])
    + swarmModule("UDX", ["CompactEncoding", .nioCore, .nioPosix])
    + swarmModule("DHTRPC", ["UDX", "CompactEncoding", "CryptoPrimitives", .nioCore])
    + swarmModule(
        "HyperDHT",
        ["DHTRPC", "SecretStream", "Noise", "UDX", "CompactEncoding", "CryptoPrimitives", .nioCore, .nioPosix, .nioConcurrency])
    + swarmModule(
        "Hyperswarm", ["HyperDHT", "DHTRPC", "UDX", "CompactEncoding", "CryptoPrimitives", .nioCore, .nioConcurrency],
        tests: [.nioPosix])
    + [
        // For tests only.
        .target(
            name: "HyperswarmTestKit", dependencies: ["HyperDHT", "DHTRPC", "CompactEncoding", .nioCore, .nioPosix],
            path: "Tests/Hyperswarm/TestKit", swiftSettings: settings)
    ]

// MARK: SwiftUI on Linux

/// `SwiftUI` for a system without one, and what shows it in a browser. See `Docs/Architecture.md`.
let webUI: [Target] =
    isLinux
    ? [
        .target(name: "SwiftUI", path: "Sources/WebUI/SwiftUI", swiftSettings: settings),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI"], path: "Tests/WebUI/SwiftUITests", swiftSettings: settings),
        .target(name: "Charts", dependencies: ["SwiftUI"], path: "Sources/WebUI/Charts", swiftSettings: settings),
        .testTarget(
            name: "ChartsTests", dependencies: ["Charts", "SwiftUI"], path: "Tests/WebUI/ChartsTests", swiftSettings: appSettings),
        .target(
            name: "WebRenderer",
            dependencies: [
                "SwiftUI", "PlatformKit", "QRScanning", "ServerKit", "WireKit", .hummingbird, .httpTypes, .logging, .lifecycle,
                .nioCore, .crypto, .cryptoExtras,
            ],
            path: "Sources/WebUI/WebRenderer", resources: [.copy("Resources")], swiftSettings: settings),
        .testTarget(
            name: "WebRendererTests",
            dependencies: [
                "WebRenderer", "SwiftUI", "PlatformKit", "PhoneTestKit", "QRCode", "ServerKit", "WireKit", "TestKit", .logging,
                .crypto,
            ],
            path: "Tests/WebUI/WebRendererTests", swiftSettings: settings),
        .target(
            name: "Home", dependencies: ["SwiftUI"], path: "Sources/Home", resources: localizedForAll, swiftSettings: appSettings),
        .executableTarget(
            name: "gallery",
            dependencies: [
                "SwiftUI", "Charts", "PlatformKit", "QRCode", "WebRenderer", "ServerKit", "WireKit", .logging, .lifecycle,
                .unixSignals,
            ],
            path: "Tests/WebUI/Gallery", swiftSettings: appSettings),
        .testTarget(
            name: "GalleryTests", dependencies: ["gallery", "PhoneTestKit", "PlatformKit", "SwiftUI"],
            path: "Tests/WebUI/GalleryTests",
            swiftSettings: appSettings),
        // A program for browser tests: of the pager, and of first starts.
        .executableTarget(
            name: "pager-staged",
            dependencies: [
                "Pager2077App", "Pager2077Client", "Pager2077TestKit", "PlatformKit", "ServerKit", "SwiftUI", "TalkCoApp",
                "TalkCoClient", "TestKit", "ViewKit", "WebRenderer", .logging,
            ],
            path: "Tests/Pager2077/StagedBox", swiftSettings: appSettings),
    ] : []

// MARK: The program

let program: [Target] = [
    .executableTarget(
        name: "switchboard",
        dependencies: [
            "ServerKit", "NetworkingKit", "NIOTransport", "SwarmTransport", "StorageKit", "WireKit", "QRCode", .httpTypes,
            .argumentParser, .logging, .lifecycle, .unixSignals, "Hyperswarm", "HyperDHT", "DHTRPC", "UDX", "CryptoPrimitives",
            "CompactEncoding", "PlatformKit", .nioCore, "EndlessCodeAgents", "DiscoveryKit", "EndlessCodeDemo",
            "EndlessCodeProjects", .hummingbird,
            .subprocess, "SystemTypes",
        ] + systems.flatMap(\.programDependencies) + (isLinux ? ["Home", "SwiftUI", "WebRenderer"] : []),
        swiftSettings: settings),
    .testTarget(
        name: "switchboardTests",
        dependencies: [
            "switchboard", "TestKit", "Pager2077TestKit", "SimBridgeTestKit", "Pager2077Client", "Pager2077Wire", "LocalLLMService",
            "LocalLLMWire", "PlatformKit", "PushTestKit", "StorageKit", "WireKit", .crypto, "EndlessCodeWire", "NetworkingKit",
            "NIOTransport",
            "discovery-probe", .httpTypes, .nioCore,
        ] + (isLinux ? ["QRScanning"] : []),
        swiftSettings: settings),
    // Checks of the sources and of Docs/.
    .testTarget(name: "FloorTests", swiftSettings: settings),
]

// MARK: For Benchmarks/

let benchmarks: [Target] =
    [
        .target(
            name: "StorageBenchmarks", dependencies: ["StorageKit", "WireKit"], path: "Benchmarks/Storage", swiftSettings: settings),
        .target(
            name: "LineBenchmarks",
            dependencies: [
                "NetworkingKit", "NIOTransport", "ServerKit", "WireKit", "Pager2077Wire", "SimBridgeWire", .httpTypes,
                .hummingbird, .lifecycle, .logging, .unixSignals,
            ],
            path: "Benchmarks/Line", swiftSettings: settings),
        .target(
            name: "SwarmBenchmarks",
            dependencies: ["Hyperswarm", "HyperDHT", "DHTRPC", "UDX", "CompactEncoding", "CryptoPrimitives", .nioCore, .nioPosix],
            path: "Benchmarks/Swarm", swiftSettings: settings),
        .target(
            name: "LocalLLMBenchmarks",
            dependencies: [
                "SwarmBenchmarks", "SwarmTransport", "NetworkingKit", "WireKit", "HyperDHT", "LocalLLMService", "LocalLLMWire",
            ],
            path: "Benchmarks/LocalLLM", swiftSettings: settings),
        .target(
            name: "EndlessCodeBenchmarks",
            dependencies: [
                "EndlessCodeAgents", "EndlessCodeWire", "HighlightKit", "NetworkingKit", "NIOTransport", "WireKit", .httpTypes,
            ],
            path: "Benchmarks/EndlessCode", swiftSettings: settings),
        .target(
            name: "TalkCoBenchmarks",
            dependencies: [
                "AudioKit", "NetworkingKit", "NIOTransport", "TalkCoStandIns", "TalkCoWire", "WireKit", .httpTypes,
            ],
            path: "Benchmarks/TalkCo", swiftSettings: settings),
    ]
    + (isLinux
        ? [
            .target(
                name: "WebUIBenchmarks",
                dependencies: ["SwiftUI", "WebRenderer", "ServerKit", .logging, .lifecycle, .unixSignals],
                path: "Benchmarks/WebUI", swiftSettings: settings)
        ] : [])

// MARK: The package

let package = Package(
    name: "Switchboard",
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        .executable(name: "switchboard", targets: ["switchboard"]),
        // For the widget extension of the pager.
        .library(name: "Pager2077Wire", targets: ["Pager2077Wire"]),
    ] + systems.compactMap(\.product)
        // For the tests of the device.
        + (isLinux ? [] : [.library(name: "PhoneTestKit", targets: ["PhoneTestKit"])])
        + benchmarks.map { .library(name: $0.name, targets: [$0.name]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ] + (isLinux ? [] : [.package(url: "https://github.com/jedisct1/swift-sodium", exact: "0.10.0")]),
    targets: kits + hyperswarm + webUI + systems.flatMap(\.targets) + parts + demoAgent + modelServers + lineTests + program
        + benchmarks
)
