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
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

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
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // C, each imported by one Swift target.
        cLibrary("CMarvelMessages", links: "protobuf-c"),

        // Core: values and decisions, no I/O.
        library("MarvelDomain", []),
        library("RPCCore", [nioCore]),
        library("Framing", ["RPCCore", nioCore]),
        library("WireMessages", ["CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),

        // Edges: sockets, threads, files.
        library("RPCTransport", ["Framing", "RPCCore", "WireMessages", nioCore, nioPosix, logging]),

        tests("MarvelDomainTests", ["MarvelDomain"]),
        tests("WireMessagesTests", ["WireMessages", "CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        tests("RPCTransportTests", ["RPCTransport", "Framing", "RPCCore", "WireMessages", nioCore, nioPosix, logging]),
    ]
)
