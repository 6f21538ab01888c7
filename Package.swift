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

// MARK: Products of other packages, by what a target needs them for

extension Target.Dependency {
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let lifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals: Self = .product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore: Self = .product(name: "HummingbirdCore", package: "hummingbird")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio")
    static let nioConcurrency: Self = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio")
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let nioWebSocket: Self = .product(name: "NIOWebSocket", package: "swift-nio")
    static let nioFoundation: Self = .product(name: "NIOFoundationCompat", package: "swift-nio")
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl")
    static let asyncAlgorithms: Self = .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
    static let asyncHTTPClient: Self = .product(name: "AsyncHTTPClient", package: "async-http-client")
    static let subprocess: Self = .product(name: "Subprocess", package: "swift-subprocess")
    static let systemPackage: Self = .product(name: "SystemPackage", package: "swift-system")
    static let nioHTTP1: Self = .product(name: "NIOHTTP1", package: "swift-nio")
    static let metrics: Self = .product(name: "CoreMetrics", package: "swift-metrics")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let argumentParser: Self = .product(name: "ArgumentParser", package: "swift-argument-parser")
}

// MARK: Kits

/// A kit and its tests: `Sources/Kits/<name>`, `Tests/Kits/<name>Tests`. Without tests of its own it is tested with another kit.
func kit(_ name: String, _ dependencies: [Target.Dependency], tests: [Target.Dependency]?) -> [Target] {
    let target = Target.target(name: name, dependencies: dependencies, path: "Sources/Kits/\(name)", swiftSettings: settings)
    guard let tests else { return [target] }
    return [
        target,
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestKit"] + tests,
            path: "Tests/Kits/\(name)Tests", swiftSettings: settings),
    ]
}

// MARK: Systems

/// One of the parts that a system is made of. See `Docs/Architecture.md`.
enum Part: String {
    /// What travels: messages and endpoints.
    case wire = "Wire"
    /// The calls that a client and a host both make.
    case calls = "Calls"
    /// What runs on a server.
    case service = "Service"
    /// What runs on the user's own machine, where that is not the service itself.
    case host = "Host"
    /// What the app knows and does without a screen.
    case client = "Client"
    /// What people see.
    case app = "App"
}

/// The parts of one system and their tests, with the only arrows allowed.
func system(_ name: String, _ parts: [Part], appExcludes: [String] = [], appResources: [Resource] = []) -> [Target] {
    let wire = Target.Dependency.byName(name: "\(name)Wire")
    let service = Target.Dependency.byName(name: "\(name)Service")
    let calls: [Target.Dependency] = parts.contains(.calls) ? [.byName(name: "\(name)Calls")] : []
    let host = Target.Dependency.byName(name: "\(name)Host")
    let client = Target.Dependency.byName(name: "\(name)Client")
    let server: [Target.Dependency] = [
        "WireKit", "ServerKit", "StorageKit", .hummingbird, .hummingbirdCore, .logging, .lifecycle, .metrics, .httpTypes,
        .nioCore, .nioConcurrency,
    ]

    func target(_ part: Part, _ dependencies: [Target.Dependency]) -> Target {
        .target(
            name: name + part.rawValue, dependencies: dependencies,
            path: "Sources/\(name)/\(part.rawValue)", swiftSettings: settings)
    }
    func tests(_ part: Part, _ dependencies: [Target.Dependency]) -> Target {
        .testTarget(
            name: "\(name)\(part.rawValue)Tests", dependencies: ["TestKit"] + dependencies,
            path: "Tests/\(name)/\(part.rawValue)Tests", swiftSettings: settings)
    }
    return parts.flatMap { part -> [Target] in
        switch part {
        case .wire: [target(.wire, ["WireKit"]), tests(.wire, ["WireKit", wire])]
        // Tested by the tests of the client and of the host.
        case .calls: [target(.calls, [wire, "WireKit", "NetworkingKit", .httpTypes])]
        case .service:
            [
                target(.service, [wire] + server),
                tests(
                    .service,
                    [
                        wire, service, "NetworkingKit", "NIOTransport", .product(name: "JWTKit", package: "jwt-kit"),
                        .product(name: "CryptoExtras", package: "swift-crypto"),
                    ] + server),
            ]
        case .host:
            [
                target(
                    .host,
                    calls + [
                        wire, "WireKit", "NetworkingKit", "StorageKit", .httpTypes, .subprocess, .systemPackage,
                    ]),
                tests(
                    .host,
                    calls + [
                        wire, host, service, "WireKit", "NetworkingKit", "NIOTransport", "StorageKit", "ServerKit", .logging,
                        .lifecycle, .httpTypes, .subprocess, .systemPackage,
                    ]),
            ]
        case .client:
            [
                target(.client, calls + [wire, "WireKit", "NetworkingKit", "ClientKit", "PlatformKit", "QRCode", .httpTypes]),
                // The real client on the real service, in one process.
                .target(
                    name: "\(name)TestKit",
                    dependencies: [
                        wire, client, service, "WireKit", "NetworkingKit", "NIOTransport", "PlatformKit", "ServerKit",
                        "StorageKit", "TestKit", .httpTypes, .logging,
                    ] + (parts.contains(.host) ? [host] : []), path: "Tests/\(name)/TestKit", swiftSettings: settings),
                tests(
                    .client,
                    calls + [
                        .byName(name: "\(name)TestKit"), wire, client, "WireKit", "NetworkingKit", "StorageKit", "ClientKit",
                        "PlatformKit", .httpTypes,
                    ]),
            ]
        case .app: app(name, [client, wire], excluding: appExcludes, resources: appResources)
        }
    }
}

/// The views of a system, and their tests by the driver, on the real service.
func app(_ name: String, _ parts: [Target.Dependency], excluding: [String], resources: [Resource]) -> [Target] {
    #if os(Linux)
        let swiftUI: [Target.Dependency] = ["SwiftUI"]
        let tests = [
            Target.testTarget(
                name: "\(name)AppTests",
                dependencies: [.byName(name: "\(name)App")] + parts
                    + [.byName(name: "\(name)TestKit"), "SwiftUI", "PlatformKit", "WireKit", "TestKit"],
                path: "Tests/\(name)/AppTests", swiftSettings: appSettings)
        ]
    #else
        let swiftUI: [Target.Dependency] = []
        let tests: [Target] = []
    #endif
    return [
        .target(
            name: "\(name)App", dependencies: parts + ["PlatformKit"] + swiftUI, path: "Sources/\(name)/App",
            exclude: excluding, resources: resources + [.process("en.lproj"), .process("ko.lproj")],
            swiftSettings: appSettings)
    ] + tests
}

// MARK: SwiftUI on Linux

#if os(Linux)
    /// `SwiftUI` for a system without one, and what shows it in a browser. See `Docs/Architecture.md`.
    let webUI: [Target] = [
        .target(name: "SwiftUI", path: "Sources/WebUI/SwiftUI", swiftSettings: settings),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI"], path: "Tests/WebUI/SwiftUITests", swiftSettings: settings),
        .target(
            name: "WebRenderer",
            dependencies: [
                "SwiftUI", "PlatformKit", "ServerKit", "WireKit", .hummingbird, .httpTypes, .logging, .lifecycle, .nioCore, .crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Sources/WebUI/WebRenderer", resources: [.copy("Resources")], swiftSettings: settings),
        .testTarget(
            name: "WebRendererTests",
            dependencies: ["WebRenderer", "SwiftUI", "PlatformKit", "ServerKit", "WireKit", "TestKit", .logging, .crypto],
            path: "Tests/WebUI/WebRendererTests", swiftSettings: settings),
        .target(
            name: "Home", dependencies: ["SwiftUI"], path: "Sources/Home", resources: [.process("en.lproj"), .process("ko.lproj")],
            swiftSettings: appSettings),
        .target(
            name: "WebUIBenchmarks", dependencies: ["SwiftUI", "WebRenderer", "ServerKit", .logging, .lifecycle, .unixSignals],
            path: "Benchmarks/WebUI",
            swiftSettings: settings),
        .executableTarget(
            name: "gallery",
            dependencies: [
                "SwiftUI", "PlatformKit", "WebRenderer", "ServerKit", .logging, .lifecycle, .unixSignals,
            ],
            path: "Sources/WebUI/Gallery", swiftSettings: appSettings),
        .testTarget(
            name: "GalleryTests", dependencies: ["gallery", "SwiftUI"], path: "Tests/WebUI/GalleryTests",
            swiftSettings: appSettings),
        // A program for browser tests of the pager.
        .executableTarget(
            name: "pager-staged",
            dependencies: [
                "Pager2077App", "Pager2077Client", "Pager2077TestKit", "PlatformKit", "ServerKit", "SwiftUI", "TestKit",
                "WebRenderer",
                .logging,
            ],
            path: "Tests/Pager2077/StagedBox", swiftSettings: appSettings),
    ]
    let webUIProducts: [Product] = [.library(name: "WebUIBenchmarks", targets: ["WebUIBenchmarks"])]
    /// What `switchboard` needs to serve apps to browsers.
    let browserApps: [Target.Dependency] = [
        "Home", "Pager2077App", "Pager2077Client", "SimBridgeApp", "SimBridgeClient", "SwiftUI", "WebRenderer",
    ]
#else
    let webUI: [Target] = []
    let webUIProducts: [Product] = []
    let browserApps: [Target.Dependency] = []
#endif

// MARK: The package

let package = Package(
    name: "Switchboard",
    defaultLocalization: "en",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .executable(name: "switchboard", targets: ["switchboard"]),
        // For Benchmarks/.
        .library(name: "LineBenchmarks", targets: ["LineBenchmarks"]),
        .library(name: "StorageKit", targets: ["StorageKit"]),
    ] + webUIProducts,
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
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
    ],
    targets: kit("WireKit", [], tests: [])
        + kit(
            "NetworkingKit", ["WireKit", .httpTypes],
            tests: ["WireKit", "ServerKit", "StorageKit", "ClientKit", "NIOTransport", .httpTypes, .hummingbird, .nioCore, .nioSSL])
        + kit(
            "NIOTransport",
            [
                "NetworkingKit", "WireKit", .httpTypes, .asyncHTTPClient, .asyncAlgorithms, .nioCore, .nioPosix, .nioHTTP1,
                .nioWebSocket, .nioFoundation, .nioSSL,
            ], tests: nil)
        + kit(
            "ServerKit",
            [
                "WireKit", "NetworkingKit", .asyncAlgorithms, .nioFoundation, .hummingbird, .hummingbirdCore, .logging, .lifecycle,
                .httpTypes, .nioCore, .nioPosix, .nioWebSocket,
                .nioHTTP1, .nioConcurrency,
                .metrics,
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .nioSSL,
                .product(name: "Configuration", package: "swift-configuration"),
                .crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            tests: [
                "WireKit", "NetworkingKit", .hummingbird, .hummingbirdCore, .httpTypes, .nioCore, .nioConcurrency, .nioEmbedded,
                .nioWebSocket,
                .metrics,
                .logging, .lifecycle, .crypto,
                .product(name: "JWTKit", package: "jwt-kit"),
            ])
        + kit("StorageKit", ["WireKit", .grdb, .crypto], tests: ["WireKit", .grdb])
        + kit("PlatformKit", [], tests: [])
        + kit(
            "ClientKit", ["WireKit", "NetworkingKit", "StorageKit", "PlatformKit"],
            tests: ["WireKit", "NetworkingKit", "StorageKit", "PlatformKit"])
        + kit("QRCode", [], tests: [])
        + webUI
        + system("Pager2077", [.wire, .service, .client, .app], appExcludes: ["Font"], appResources: [.copy("Resources")])
        + system("SimBridge", [.wire, .calls, .service, .host, .client, .app])
        + [
            .executableTarget(
                name: "switchboard",
                dependencies: [
                    "ServerKit", "NetworkingKit", "NIOTransport", "StorageKit", "Pager2077Service", "SimBridgeService",
                    "SimBridgeHost",
                    "SimBridgeWire", "WireKit", "QRCode", .httpTypes, .argumentParser, .logging, .lifecycle, .unixSignals,
                ] + browserApps,
                swiftSettings: settings),
            .target(
                name: "LineBenchmarks",
                dependencies: [
                    "NetworkingKit", "NIOTransport", "ServerKit", "WireKit", "Pager2077Wire", "SimBridgeWire", .httpTypes,
                    .hummingbird, .lifecycle,
                    .logging, .unixSignals,
                ],
                path: "Benchmarks/Line", swiftSettings: settings),
            .target(
                name: "TestKit",
                dependencies: [
                    "WireKit", "NetworkingKit", "ServerKit", .httpTypes, .hummingbird, .hummingbirdCore, .logging, .lifecycle,
                    .nioCore,
                    .nioPosix, .nioConcurrency, .subprocess, .systemPackage,
                ],
                path: "Sources/Kits/TestKit", swiftSettings: settings),
            .testTarget(name: "FloorTests", swiftSettings: settings),
            .testTarget(
                name: "switchboardTests",
                dependencies: [
                    "switchboard", "TestKit", "Pager2077TestKit", "SimBridgeTestKit", "Pager2077Client", "PlatformKit",
                    "StorageKit",
                ],
                swiftSettings: settings),
        ]
)
