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
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The toolchain's own linker takes a third of the time of the default one. Libraries are built without unsafe flags,
/// which would keep other packages from depending on them.
let linkerSettings: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]

func library(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

func cLibrary(_ name: String, links libraries: String...) -> Target {
    .target(
        name: name,
        cSettings: [.treatAllWarnings(as: .error)],
        linkerSettings: libraries.map { .linkedLibrary($0) }
    )
}

func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: path,
        exclude: exclude,
        swiftSettings: swiftSettings,
        linkerSettings: linkerSettings
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: swiftSettings,
        linkerSettings: linkerSettings
    )
}

// Arrows point down only: programs, library, edges, core, C. No edge imports another; a second wire, TLS and the servers of
// pages stand on RPCTransport, and what is made of RPC clients on both.
let package = Package(
    name: "marvel-rpc",
    products: [
        .executable(name: "marvel-server", targets: ["marvel-server"]),
        .executable(name: "marvel", targets: ["marvel"]),
        .executable(name: "marvel-gateway", targets: ["marvel-gateway"]),
        .library(name: "MarvelClient", targets: ["MarvelClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Without its support of configuration files, which would be one more package to build.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // C, each imported by one Swift target.
        cLibrary("CMarvelMessages", links: "protobuf-c"),
        cLibrary("CCrypto", links: "crypto"),
        cLibrary("CCurl", links: "curl"),
        cLibrary("CZlib", links: "z"),
        cLibrary("CPictures", links: "turbojpeg", "png"),
        cLibrary("CPNG", links: "png"),
        cLibrary("CTerminal"),
        cLibrary("CMemory"),
        cLibrary("CFiles"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),

        // Core: values and decisions, no I/O.
        library("Events", []),
        library("ServerMetrics", []),
        library("Digests", ["CCrypto"]),
        library("Compression", ["CZlib"]),
        library("MarvelDomain", ["Digests", "Events"]),
        library("Access", ["Digests"]),
        library("RPCCore", ["Access", "Digests", nioCore]),
        library("Framing", ["RPCCore", nioCore]),
        library("HTTP2Frames", ["RPCCore", nioCore, nioHPACK]),
        library("WireMessages", ["CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        library("HTTPCalls", ["Compression", "MarvelDomain", "RPCCore", "WireMessages", nioCore, nioHPACK]),
        library("MarvelAPI", ["MarvelDomain", "Digests"]),
        library("Catalog", ["MarvelDomain", "RPCCore", "WireMessages", nioCore]),
        library("Emblems", ["Catalog", "CPNG", "MarvelDomain"]),
        library("CatalogEdits", ["Catalog", "MarvelDomain"]),
        library(
            "Upstream",
            ["Catalog", "Emblems", "MarvelAPI", "MarvelDomain", "RPCCore", "WireMessages", nioCore]
        ),
        library(
            "MarvelService",
            [
                "Access", "MarvelDomain", "Catalog", "CatalogEdits", "Emblems", "Events", "RPCCore", "WireMessages",
                nioCore,
            ]
        ),
        library("TerminalUI", ["MarvelDomain"]),
        library("FavoritesEngine", ["MarvelDomain"]),

        // Edges: sockets, threads, files.
        library(
            "RPCTransport",
            ["Access", "Framing", "RPCCore", "ServerMetrics", "WireMessages", nioCore, nioPosix, logging]
        ),
        library(
            "HTTPTransport",
            [
                "RPCTransport", "HTTP2Frames", "HTTPCalls", "RPCCore", "WireMessages", nioCore, nioHPACK, nioHTTP1,
                logging,
            ]
        ),
        library("TransportSecurity", ["RPCCore", "RPCTransport", nioCore, nioPosix, nioSSL, nioTLS, logging]),
        // The page of the HTTP port: files that are embedded in the program.
        .target(
            name: "WebPage",
            dependencies: ["Digests", "HTTPCalls", nioCore],
            resources: ["index.html", "page.css", "app.js", "client.js", "icon.svg", "later.css", "later.js"].map {
                .embedInCode("Files/\($0)")
            },
            swiftSettings: swiftSettings
        ),
        library("CurlTransport", ["MarvelAPI", "MarvelDomain", "CCurl"]),
        library("PictureDecoding", ["TerminalUI", "CPictures"]),
        library("TerminalDevice", ["TerminalUI", "CTerminal"]),
        library("SQLiteFiles", ["CFiles", "CSQLite"]),
        library(
            "FavoritesSQLite",
            ["CatalogEdits", "Events", "FavoritesEngine", "MarvelDomain", "SQLiteFiles", "ServerMetrics"]
        ),
        library(
            "FavoritesPostgres",
            [
                "CPostgres", "CatalogEdits", "Digests", "Events", "FavoritesEngine", "MarvelDomain", "RPCCore",
                "ServerMetrics",
            ]
        ),
        library(
            "CatalogFiles",
            [
                "Catalog", "CatalogEdits", "Upstream", "MarvelAPI", "MarvelDomain", "SQLiteFiles", "WireMessages",
                nioCore,
            ]
        ),
        library(
            "HTTPServing",
            [
                "MarvelDomain", "RPCCore", "RPCTransport", hummingbird, hummingbirdCore, lifecycle, nioCore, nioHTTP1,
                nioPosix, logging,
            ]
        ),
        library(
            "OperationsHTTP",
            [
                "Access", "HTTPServing", "MarvelDomain", "RPCCore", "ServerMetrics", hummingbird, lifecycle, nioCore,
                nioPosix, logging,
            ]
        ),
        library(
            "GatewayHTTP",
            [
                "HTTPServing", "MarvelDomain", "MarvelAPI", "Catalog", "Emblems", "RPCCore", "Digests", "Compression",
                hummingbird, lifecycle, nioCore, logging,
            ]
        ),

        // Made of RPC clients: a load test's connections and calls, what others add to a package, and the screen.
        library(
            "LoadEngine",
            ["MarvelDomain", "RPCTransport", "RPCCore", "WireMessages", histogram, nioCore, nioPosix]
        ),
        library(
            "MarvelClient",
            [
                "Digests", "RPCTransport", "TransportSecurity", "RPCCore", "WireMessages", "MarvelDomain", "Events",
                nioCore,
            ]
        ),
        library("Browse", ["Events", "MarvelClient", "MarvelDomain", "RPCCore", "TerminalUI"]),

        // Programs: parse arguments, assemble, run.
        library(
            "ProgramSupport",
            [
                "Access", "CMemory", "Digests", "MarvelAPI", "MarvelDomain", "RPCCore", "TerminalDevice", "TerminalUI",
                nioCore, argumentParser, logging,
            ]
        ),
        library("Systemd", ["RPCCore"]),
        library("Settings", ["MarvelDomain", "ProgramSupport", "TerminalUI", yams]),
        program(
            "marvel-server",
            [
                "Access", "MarvelService", "Catalog", "CatalogEdits", "CatalogFiles", "Emblems", "Upstream",
                "MarvelAPI", "MarvelDomain", "WireMessages", "RPCCore", "RPCTransport", "CurlTransport",
                "HTTPServing", "HTTPTransport", "HTTPCalls", "FavoritesPostgres", "FavoritesSQLite", "OperationsHTTP",
                "PictureDecoding", "ProgramSupport", "ServerMetrics", "Settings", "Systemd", "TerminalDevice",
                "TransportSecurity", "WebPage",
                argumentParser, lifecycle, signals, logging, nioCore,
            ]
        ),
        program(
            "marvel",
            [
                "MarvelClient", "MarvelDomain", "WireMessages", "LoadEngine", "RPCTransport",
                "Browse", "Events", "Access", "TerminalUI", "TerminalDevice", "PictureDecoding", "ProgramSupport",
                "RPCCore", argumentParser, nioCore,
            ]
        ),
        program(
            "marvel-gateway",
            [
                "GatewayHTTP", "Catalog", "CatalogFiles", "Upstream", "MarvelAPI", "MarvelDomain", "RPCCore",
                "ProgramSupport", argumentParser, lifecycle, signals, logging,
            ]
        ),

        // How tests start programs, and how they let time pass.
        library("ChildProcesses", [], path: "Tests/ChildProcesses"),
        library("TestClocks", ["RPCCore"], path: "Tests/TestClocks"),
        // What every store of favorites must do, and one in memory.
        library("StoreContract", ["CatalogEdits", "Events", "MarvelDomain"], path: "Tests/StoreContract"),

        tests("DigestsTests", ["Digests"]),
        tests("AccessTests", ["Access"]),
        tests("CompressionTests", ["Compression"]),
        tests("EventsTests", ["Events"]),
        tests("ServerMetricsTests", ["ServerMetrics"]),
        tests("MarvelDomainTests", ["MarvelDomain", "StoreContract"]),
        tests("FavoritesEngineTests", ["FavoritesEngine", "MarvelDomain"]),
        tests("RPCCoreTests", ["Access", "RPCCore", "MarvelDomain", nioCore, nioEmbedded]),
        tests("FramingTests", ["Framing", "FramingDrivers", "MarvelDomain", "RPCCore", nioCore]),
        tests("HTTP2FramesTests", ["HTTP2Frames", "FramingDrivers", "MarvelDomain", "RPCCore", nioCore, nioHPACK]),
        tests("HTTPCallsTests", ["HTTPCalls", "RPCCore", nioCore, nioHPACK]),
        tests("WireMessagesTests", ["WireMessages", "CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        tests("MarvelAPITests", ["MarvelAPI", "MarvelDomain"]),
        library(
            "CatalogReading",
            ["Catalog", "MarvelDomain", "RPCCore", "WireMessages", nioCore],
            path: "Tests/CatalogReading"
        ),
        tests("CatalogTests", ["Catalog", "CatalogReading", "MarvelDomain", "RPCCore", "WireMessages", nioCore]),
        tests("EmblemsTests", ["Emblems", "MarvelDomain"]),
        tests("CatalogEditsTests", ["CatalogEdits", "Catalog", "MarvelDomain", "WireMessages"]),
        tests(
            "UpstreamTests",
            [
                "Upstream", "Catalog", "CatalogReading", "Emblems", "MarvelAPI", "MarvelDomain", "RPCCore",
                "WireMessages", nioCore,
            ]
        ),
        tests(
            "MarvelServiceTests",
            [
                "Access", "MarvelService", "MarvelDomain", "Catalog", "CatalogEdits", "Events", "RPCCore",
                "WireMessages",
                "StoreContract", "TestClocks", nioCore, nioEmbedded,
            ]
        ),
        // Calls over each wire, for tests of servers.
        library(
            "WireClients",
            ["RPCTransport", "RPCCore", "WireMessages", nioCore, nioHPACK, nioHTTP2, nioPosix],
            path: "Tests/WireClients"
        ),
        tests(
            "RPCTransportTests",
            [
                "WireClients", "Access", "RPCTransport", "HTTPTransport", "Framing", "RPCCore", "WireMessages",
                "MarvelDomain",
                "MarvelService", "MarvelAPI", "Catalog", "CatalogEdits", "Upstream", "FavoritesSQLite",
                "ServerMetrics", "StoreContract", "TrialChecks", nioCore, nioEmbedded, nioPosix, logging,
            ]
        ),
        tests(
            "HTTPTransportTests",
            [
                "WireClients", "HTTPTransport", "HTTPCalls", "Compression", "RPCTransport", "RPCCore", "WireMessages",
                "MarvelDomain", "MarvelService", "Catalog", "CatalogEdits", "StoreContract", nioCore, nioHPACK,
                nioHTTP2, nioPosix,
                logging,
            ]
        ),
        // TLS between this project's sides, and with openssl and curl; certificates for it.
        library("TestCertificates", ["ChildProcesses"], path: "Tests/TestCertificates"),
        tests(
            "TransportSecurityTests",
            [
                "TransportSecurity", "TestCertificates", "RPCTransport", "HTTPTransport", "Framing", "RPCCore",
                "WireMessages", "ChildProcesses", nioCore, nioPosix, nioSSL, logging,
            ]
        ),
        tests(
            "CurlTransportTests",
            ["CurlTransport", "Compression", "MarvelAPI", "MarvelDomain", "ChildProcesses", "TestCertificates"]
        ),
        tests("PictureDecodingTests", ["PictureDecoding", "TerminalUI", "Emblems", "MarvelDomain"]),
        tests("SQLiteFilesTests", ["CSQLite", "SQLiteFiles"]),
        tests(
            "FavoritesSQLiteTests",
            [
                "CSQLite", "CatalogEdits", "Events", "FavoritesEngine", "FavoritesSQLite", "SQLiteFiles",
                "MarvelDomain", "StoreContract",
            ]
        ),
        // A PostgreSQL server of the tests' own.
        library("TestDatabases", ["ChildProcesses"], path: "Tests/TestDatabases"),
        tests(
            "FavoritesPostgresTests",
            [
                "CatalogEdits", "FavoritesEngine", "FavoritesPostgres", "FavoritesSQLite", "Events", "MarvelDomain",
                "ServerMetrics",
                "StoreContract", "TestDatabases",
            ]
        ),
        tests(
            "CatalogFilesTests",
            [
                "CatalogFiles", "Catalog", "CatalogEdits", "Emblems", "Upstream", "MarvelAPI", "MarvelDomain",
                "SQLiteFiles", "WireMessages", nioCore,
            ]
        ),
        tests(
            "GatewayHTTPTests",
            [
                "GatewayHTTP", "HTTPServing", "Catalog", "CurlTransport", "MarvelAPI", "MarvelDomain", "RPCCore",
                "Compression", lifecycle, logging, nioCore, nioPosix,
            ]
        ),
        tests(
            "OperationsHTTPTests",
            [
                "Access", "HTTPServing", "OperationsHTTP", "RPCCore", "ServerMetrics", lifecycle, logging, nioCore,
                nioEmbedded, nioPosix,
            ]
        ),
        tests("MarvelClientTests", ["MarvelClient", "WireMessages", "MarvelDomain", "RPCCore", nioCore]),
        // A server for load tests, in the test's own process.
        library(
            "LoadTestServer",
            ["RPCTransport", "RPCCore", "WireMessages", "MarvelDomain", nioCore, logging],
            path: "Tests/LoadTestServer"
        ),
        tests(
            "LoadEngineTests",
            ["LoadEngine", "LoadTestServer", "WireMessages", "MarvelDomain", "RPCCore", nioCore]
        ),
        tests("TerminalUITests", ["TerminalUI", "MarvelDomain"]),
        tests("TerminalDeviceTests", ["TerminalDevice", "TerminalUI", "ChildProcesses"]),
        tests(
            "BrowseTests",
            ["Browse", "TerminalUI", "Events", "MarvelClient", "MarvelDomain", "RPCCore", "TestClocks"],
            exclude: ["View/Golden"]
        ),
        tests("ProgramSupportTests", ["ProgramSupport", "Access", "MarvelAPI", "RPCCore", argumentParser, logging]),
        tests("SystemdTests", ["Systemd", "RPCCore"]),
        tests("SettingsTests", ["Settings", "RPCCore"]),
        tests(
            "CLITests",
            [
                "marvel", argumentParser, "Access", "LoadEngine", "LoadTestServer", "MarvelClient", "ProgramSupport",
                "WireMessages", "MarvelDomain", "RPCCore", "TerminalDevice", "TerminalUI", "ChildProcesses", nioCore,
            ]
        ),
        tests(
            "EndToEndTests",
            [
                "marvel-server", "marvel", "marvel-gateway", "MarvelClient", "RPCTransport", "WireMessages", "RPCCore",
                "CatalogFiles", "Catalog", "MarvelDomain", "ChildProcesses", "TestCertificates", "TestDatabases",
                nioCore, nioPosix,
            ],
            exclude: ["Help", "Peers"]
        ),
        // What is fed with the bytes of strangers: by the tests, and by libFuzzer for hours (deploy/fuzz).
        library(
            "FramingDrivers",
            ["Framing", "HTTP2Frames", "MarvelDomain", "RPCCore", nioCore, nioHPACK],
            path: "Tests/Fuzzers/Drivers"
        ),
        library(
            "FuzzTargets",
            [
                "FramingDrivers", "WireMessages", "Catalog", "Events", "MarvelAPI", "MarvelService", "MarvelDomain",
                "RPCCore", "TerminalUI", "PictureDecoding", "StoreContract", "TestClocks", nioCore,
            ],
            path: "Tests/Fuzzers/Targets"
        ),
        tests(
            "FuzzTests",
            ["FuzzTargets", "FramingDrivers", "WireMessages", "MarvelDomain", "ChildProcesses", nioCore],
            exclude: ["Corpus"]
        ),
        // deploy/trial: breaks and loads servers while clients toggle, and judges what is left.
        library("TrialChecks", ["MarvelDomain", "RPCCore"], path: "Tests/Trial/Checks"),
        tests("TrialTests", ["TrialChecks", "MarvelDomain", "RPCCore"]),
        program(
            "marvel-trial",
            [
                "TrialChecks", "ChildProcesses", "MarvelClient", "MarvelDomain", "Catalog", "CatalogFiles", "Framing",
                "ProgramSupport", "RPCCore", "TestDatabases", "WireMessages", argumentParser, nioCore, nioPosix,
            ],
            path: "Tests/Trial/Program"
        ),
        // deploy/simulate: the service above its sockets, clocks and files, with faults, by seeds.
        library(
            "Simulation",
            [
                "Catalog", "TrialChecks", "Events", "FavoritesEngine", "MarvelClient", "MarvelDomain", "MarvelService",
                "RPCCore", "WireMessages", nioCore,
            ],
            path: "Tests/Simulation/World"
        ),
        program("marvel-simulator", ["Simulation", argumentParser], path: "Tests/Simulation/Program"),
        tests("SimulationTests", ["Simulation"]),
        program(
            "marvel-bench",
            [
                "Browse", "Catalog", "ChildProcesses", "Framing", "LoadEngine", "MarvelClient",
                "MarvelDomain", "RPCCore", "TerminalUI", "TestDatabases", "WireMessages", argumentParser, nioCore,
            ],
            path: "Tests/Benchmarks",
            exclude: ["README.md", "References"]
        ),
    ]
)

// deploy/fuzz sets this. The program's `main` is libFuzzer's own, which only `--sanitize fuzzer` brings along, so in an
// ordinary build it would not link.
if Context.environment["MARVEL_FUZZ"] != nil {
    package.targets.append(program("marvel-fuzz", ["FuzzTargets", nioCore], path: "Tests/Fuzzers/Program"))
}

/// Finds the targets that some need, by name, with these themselves.
func targets(neededBy names: Set<String>, of targets: [Target]) -> Set<String> {
    var found: Set<String> = []
    var pending = Array(names)
    while let name = pending.popLast() {
        guard found.insert(name).inserted else { continue }
        for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): pending.append(name)
            default: break
            }
        }
    }
    return found
}

// Leaves out the targets that those named here (separated by commas) do not need, so that `swift build` makes several
// programs at once, and building the tests of one edge does not build and link those of all the others.
if let wanted = Context.environment["MARVEL_TARGETS"]?.split(separator: ",").map(String.init) {
    let needed = targets(neededBy: Set(wanted), of: package.targets)
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
