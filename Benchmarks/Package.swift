// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that dependencies of benchmarks stay out of the main manifest.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Switchboard", path: "..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "EndlessCodeBenchmarks", package: "Switchboard"),
                .product(name: "LineBenchmarks", package: "Switchboard"),
                .product(name: "LocalLLMBenchmarks", package: "Switchboard"),
                .product(name: "StorageBenchmarks", package: "Switchboard"),
                .product(name: "SwarmBenchmarks", package: "Switchboard"),
                .product(name: "TalkCoBenchmarks", package: "Switchboard"),
                .product(name: "WebUIBenchmarks", package: "Switchboard"),
                // Not imported: started as a process.
                .product(name: "switchboard", package: "Switchboard"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error, .when(platforms: [.linux]))])
    ]
)
