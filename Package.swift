// swift-tools-version: 6.2
import PackageDescription

/// Strict in every target: a warning anywhere stops the build, in debug and release alike.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func cLibrary(_ name: String, links library: String) -> Target {
    .target(name: name, cSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary(library)])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

// Arrows point down only: programs, library, edges, core, C. No edge imports another.
let package = Package(
    name: "marvel-rpc",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // C, each imported by one Swift target.
        cLibrary("CMarvelMessages", links: "protobuf-c"),
        cLibrary("CCurl", links: "curl"),

        // Core: values and decisions, no I/O.
        library("MarvelDomain", []),
        library("RPCCore", [nioCore]),
        library("Framing", ["RPCCore", nioCore]),
        library("WireMessages", ["CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        library("MarvelAPI", ["MarvelDomain", crypto]),
        library("Catalog", ["MarvelDomain", "MarvelAPI", "WireMessages", nioCore]),
        library("MarvelService", ["MarvelDomain", "MarvelAPI", "Catalog", "RPCCore", "WireMessages", nioCore]),

        // Edges: sockets, threads, files.
        library("RPCTransport", ["Framing", "RPCCore", "WireMessages", nioCore, nioPosix, logging]),
        library("CurlTransport", ["MarvelAPI", "CCurl"]),
        library("FavoritesSQLite", ["MarvelDomain", grdb]),

        tests("MarvelDomainTests", ["MarvelDomain"]),
        tests("RPCCoreTests", ["RPCCore", nioCore]),
        tests("FramingTests", ["Framing", "RPCCore", nioCore]),
        tests("WireMessagesTests", ["WireMessages", "CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        tests("MarvelAPITests", ["MarvelAPI", "MarvelDomain"]),
        tests("CatalogTests", ["Catalog", "MarvelDomain", "MarvelAPI", "WireMessages", nioCore]),
        tests(
            "MarvelServiceTests",
            ["MarvelService", "MarvelDomain", "MarvelAPI", "Catalog", "RPCCore", "WireMessages", nioCore]
        ),
        tests("RPCTransportTests", ["RPCTransport", "Framing", "RPCCore", "WireMessages", nioCore, nioPosix, logging]),
        tests("CurlTransportTests", ["CurlTransport", "MarvelAPI", "MarvelDomain"]),
        tests("FavoritesSQLiteTests", ["FavoritesSQLite", "MarvelDomain", grdb]),
    ]
)
