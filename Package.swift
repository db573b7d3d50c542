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

func library(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    embedding files: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: path,
        resources: files.map { .embedInCode($0) },
        swiftSettings: swiftSettings
    )
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

// Arrows point down only: programs, library, edges, core, C. No edge imports another; the servers of pages stand on
// RPCServer, and what is made of RPC clients on RPCClient and TransportSecurity.
let package = Package(
    name: "marvel-rpc",
    products: [
        .executable(name: "marvel-server", targets: ["marvel-server"]),
        .executable(name: "marvel", targets: ["marvel"]),
        .executable(name: "marvel-gateway", targets: ["marvel-gateway"]),
        .library(name: "MarvelClient", targets: ["MarvelClient"]),
        .library(name: "RPCServer", targets: ["RPCServer", "TransportSecurity"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // C: bindings of libraries, and system calls that Swift cannot make. Each is imported by one Swift target, except
        // CImages and CMarvelSystem, of which each importing target uses its own part.

        // The structs of the messages, generated from Protos.
        cLibrary("CMarvelMessages", links: "protobuf-c"),
        // Digests, by libcrypto.
        cLibrary("CCrypto", links: "crypto"),
        // The variadic functions of libcurl.
        cLibrary("CCurl", links: "curl"),
        // The macros of zlib.
        cLibrary("CZlib", links: "z"),
        // Pictures: decodes PNG and JPEG, and encodes PNG with a palette.
        cLibrary("CImages", links: "turbojpeg", "png"),
        // The terminal's raw mode, limits of the process, and identities of files.
        cLibrary("CMarvelSystem"),
        // The header of libpq.
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq"),
        // The header of SQLite, and its variadic functions.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),

        // Core: values and decisions, no I/O.

        // Characters, lists of favorites, edits of characters, their rules, the protocols of stores; events, digests, metrics,
        // JSON.
        library("MarvelDomain", ["CCrypto"]),
        // Methods, calls, status codes, errors, retries, limits and access, apart from any wire.
        library("RPCCore", ["MarvelDomain", nioCore]),
        // The framed protocol as values: frames, and what they mean to both sides of a connection.
        library("Framing", ["RPCCore", nioCore]),
        // The messages as Swift values, their bytes, and their JSON.
        library("WireMessages", ["CMarvelMessages", "MarvelDomain", "RPCCore", nioCore]),
        // The server's side of HTTP/2, the rules of gRPC and Connect, and gzip, as values.
        library("HTTPFraming", ["CZlib", "MarvelDomain", "RPCCore", "WireMessages", nioCore, nioHPACK]),
        // The catalog in memory: its index, searches and pages, the operator's edits, and drawn pictures.
        library(
            "Catalog",
            ["CImages", "CMarvelSystem", "MarvelDomain", "RPCCore", "WireMessages", nioCore],
            embedding: ["BuiltIn/characters.txt"]
        ),
        // A gateway of the retired API as the catalog: requests and replies, cache, budget, retries.
        library("Upstream", ["Catalog", "MarvelDomain", "RPCCore", "WireMessages", nioCore]),
        // The methods of the service, as functions over a catalog and a store.
        library("MarvelService", ["MarvelDomain", "Catalog", "RPCCore", "WireMessages", nioCore]),
        // Cells, styles and keys of a terminal's screen.
        library("TerminalUI", ["MarvelDomain"]),
        // Decides the changes of favorites for a store.
        library("FavoritesEngine", ["MarvelDomain"]),

        // Edges: sockets, threads, files.

        // The server of every wire: ttrpc frames, gRPC and Connect, and pages.
        library(
            "RPCServer",
            [
                "Framing", "HTTPFraming", "MarvelDomain", "RPCCore", "WireMessages", nioCore, nioPosix, nioHPACK,
                nioHTTP1, logging,
            ]
        ),
        // The client of the framed wire, with retries.
        library("RPCClient", ["Framing", "RPCCore", "WireMessages", nioCore, nioPosix]),
        // TLS for both sides of every wire.
        library("TransportSecurity", ["RPCCore", nioCore, nioPosix, nioSSL, nioTLS, logging]),
        // The page of the HTTP port: files that are embedded in the program.
        library(
            "WebPage",
            ["MarvelDomain", "HTTPFraming", nioCore],
            embedding: ["index.html", "page.css", "app.js", "client.js", "icon.svg", "later.css", "later.js"]
                .map { "Files/\($0)" }
        ),
        // HTTP requests to gateways and hosts of pictures, by libcurl.
        library("CurlTransport", ["Upstream", "MarvelDomain", "CCurl"]),
        // The terminal in raw mode, and pictures decoded for it under limits.
        library("Terminal", ["TerminalUI", "CImages", "CMarvelSystem"]),
        // Files of SQLite: locks, migrations, and rows that are not trusted.
        library("SQLiteFiles", ["CMarvelSystem", "CSQLite"]),
        // The store of favorites and edits in one file.
        library("FavoritesSQLite", ["FavoritesEngine", "MarvelDomain", "SQLiteFiles"]),
        // The store of favorites and edits in a database that several servers share.
        library("FavoritesPostgres", ["CPostgres", "FavoritesEngine", "MarvelDomain", "RPCCore"]),
        // Files of catalogs, imports, and the caches of a gateway's answers and pictures.
        library(
            "CatalogFiles",
            ["Catalog", "Upstream", "MarvelDomain", "RPCCore", "SQLiteFiles", "WireMessages", nioCore]
        ),
        // Probes, metrics and the status page.
        library(
            "OperationsHTTP",
            ["RPCServer", "HTTPFraming", "MarvelDomain", "RPCCore", nioCore, nioPosix, logging]
        ),
        // The retired API, served from a catalog.
        library(
            "GatewayHTTP",
            ["RPCServer", "HTTPFraming", "MarvelDomain", "Upstream", "Catalog", "RPCCore", nioCore, logging]
        ),

        // Made of RPC clients.

        // Load tests: pacing, connections and calls, records, reports.
        library(
            "Load",
            ["MarvelDomain", "RPCClient", "RPCCore", "WireMessages", histogram, nioCore, nioPosix],
            embedding: ["Files/report.css"]
        ),
        // The client for other packages.
        library(
            "MarvelClient",
            ["RPCClient", "TransportSecurity", "RPCCore", "WireMessages", "MarvelDomain", nioCore]
        ),
        // The screen of `marvel browse`, without a terminal.
        library("Browse", ["MarvelClient", "MarvelDomain", "RPCCore", "TerminalUI"]),

        // Programs: parse arguments, assemble, run.

        // Shared by the programs: logs, secrets, arguments, signals, systemd.
        library(
            "ProgramSupport",
            ["CMarvelSystem", "MarvelDomain", "RPCCore", "Terminal", "TerminalUI", nioCore, argumentParser, logging]
        ),
        // The settings of the server: from a file, variables and options. Apart, because only the server needs Yams.
        library("Settings", ["MarvelDomain", "TerminalUI", yams]),
        // The server.
        program(
            "marvel-server",
            [
                "MarvelService", "Catalog", "CatalogFiles", "Upstream", "MarvelDomain", "WireMessages", "RPCCore",
                "RPCServer", "CurlTransport", "HTTPFraming", "FavoritesPostgres",
                "FavoritesSQLite", "OperationsHTTP", "ProgramSupport", "Settings", "TransportSecurity",
                "WebPage", argumentParser, lifecycle, signals, logging, nioCore,
            ]
        ),
        // The command line, the screen and the load test.
        program(
            "marvel",
            [
                "MarvelClient", "MarvelDomain", "WireMessages", "Load", "Browse", "TerminalUI",
                "Terminal", "ProgramSupport", "RPCCore", argumentParser, nioCore,
            ]
        ),
        // The stand-in for the retired API.
        program(
            "marvel-gateway",
            [
                "GatewayHTTP", "Catalog", "CatalogFiles", "Upstream", "MarvelDomain", "RPCCore", "RPCServer",
                "ProgramSupport", argumentParser, logging,
            ]
        ),

        // Child processes and clocks for tests.
        library("ChildProcesses", [], path: "Tests/ChildProcesses"),
        library("TestClocks", ["RPCCore"], path: "Tests/TestClocks"),
        // The contract of every store of favorites, and a store in memory.
        library("StoreContract", ["MarvelDomain"], path: "Tests/StoreContract"),

        // A request for each method, for the tests that call them all.
        library(
            "SampleRequests",
            ["Catalog", "MarvelDomain", "RPCCore", "WireMessages", nioCore],
            path: "Tests/SampleRequests"
        ),

        tests("MarvelDomainTests", ["MarvelDomain", "StoreContract"], exclude: ["Favorites.jsonl"]),
        tests("FavoritesEngineTests", ["FavoritesEngine", "MarvelDomain"]),
        tests("RPCCoreTests", ["RPCCore", "MarvelDomain", nioCore, nioEmbedded]),
        tests("FramingTests", ["Framing", "FramingDrivers", "MarvelDomain", "RPCCore", nioCore]),
        tests("HTTPFramingTests", ["HTTPFraming", "FramingDrivers", "MarvelDomain", "RPCCore", nioCore, nioHPACK]),
        tests(
            "WireMessagesTests",
            ["WireMessages", "CMarvelMessages", "ChildProcesses", "MarvelDomain", "RPCCore", nioCore],
            exclude: ["Numbers.txt"]
        ),
        library(
            "CatalogReading",
            ["Catalog", "MarvelDomain", "RPCCore", "WireMessages", nioCore],
            path: "Tests/CatalogReading"
        ),
        tests("CatalogTests", ["Catalog", "CatalogReading", "MarvelDomain", "RPCCore", "WireMessages", nioCore]),
        tests(
            "UpstreamTests",
            ["Upstream", "Catalog", "CatalogReading", "MarvelDomain", "RPCCore", "WireMessages", nioCore]
        ),
        tests(
            "MarvelServiceTests",
            [
                "MarvelService", "MarvelDomain", "Catalog", "RPCCore", "WireMessages", "SampleRequests",
                "StoreContract", "TestClocks", nioCore, nioEmbedded,
            ]
        ),
        // The sockets of test clients, and waits of tests of servers.
        library("WireClients", ["RPCCore", "RPCServer", logging, nioCore, nioPosix], path: "Tests/WireClients"),
        tests(
            "RPCServerTests",
            [
                "SampleRequests", "WireClients", "RPCServer", "RPCClient", "Framing", "HTTPFraming", "RPCCore",
                "WireMessages", "MarvelDomain", "MarvelService", "Catalog", "StoreContract", nioCore, nioEmbedded,
                nioHPACK,
                nioHTTP2, nioPosix, logging,
            ]
        ),
        tests(
            "RPCClientTests",
            ["RPCClient", "Framing", "RPCCore", "WireMessages", nioCore, nioEmbedded]
        ),
        // TLS between this project's sides, and with openssl and curl; certificates for it.
        library("TestCertificates", ["ChildProcesses"], path: "Tests/TestCertificates"),
        tests(
            "TransportSecurityTests",
            [
                "TransportSecurity", "TestCertificates", "WireClients", "RPCServer", "RPCClient", "Framing", "RPCCore",
                "WireMessages", "ChildProcesses", nioCore, nioPosix, nioSSL, logging,
            ]
        ),
        // A service that knows the public part of RPCServer only, called by ttrpc, gRPC and Connect.
        .target(
            name: "TallyService",
            dependencies: ["RPCServer"],
            path: "Tests/TallyService",
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        tests(
            "TallyTests",
            [
                "TallyService", "RPCServer", "RPCClient", "TransportSecurity", "ChildProcesses",
                "RPCCore", nioCore,
            ],
            exclude: ["Peers"]
        ),
        tests(
            "CurlTransportTests",
            ["CurlTransport", "HTTPFraming", "Upstream", "MarvelDomain", "ChildProcesses", "TestCertificates"]
        ),
        tests("TerminalTests", ["Terminal", "TerminalUI", "Catalog", "MarvelDomain", "ChildProcesses"]),
        tests("SQLiteFilesTests", ["SQLiteFiles"]),
        tests(
            "FavoritesSQLiteTests",
            [
                "CSQLite", "FavoritesEngine", "FavoritesSQLite", "SQLiteFiles", "MarvelDomain", "StoreContract",
                "ChildProcesses",
            ]
        ),
        // A PostgreSQL server of the tests' own.
        library("TestDatabases", ["ChildProcesses"], path: "Tests/TestDatabases"),
        tests(
            "FavoritesPostgresTests",
            [
                "FavoritesEngine", "FavoritesPostgres", "FavoritesSQLite", "MarvelDomain", "StoreContract",
                "TestDatabases",
            ]
        ),
        tests(
            "CatalogFilesTests",
            [
                "CatalogFiles", "Catalog", "Upstream", "MarvelDomain", "SQLiteFiles", "WireMessages", "ChildProcesses",
                nioCore,
            ]
        ),
        tests(
            "GatewayHTTPTests",
            [
                "GatewayHTTP", "WireClients", "RPCServer", "Catalog", "CurlTransport", "Upstream", "MarvelDomain",
                "RPCCore", "HTTPFraming", logging, nioCore, nioPosix,
            ]
        ),
        tests(
            "OperationsHTTPTests",
            ["OperationsHTTP", "WireClients", "HTTPFraming", "RPCServer", "MarvelDomain", "RPCCore", logging, nioCore]
        ),
        // A client's channel without a server.
        library("FakeChannel", ["MarvelClient", "RPCCore", "WireMessages", nioCore], path: "Tests/FakeChannel"),
        tests(
            "MarvelClientTests",
            ["FakeChannel", "MarvelClient", "WireMessages", "MarvelDomain", "RPCCore", nioCore]
        ),
        // A server for load tests, in the test's own process.
        library(
            "LoadTestServer",
            ["RPCServer", "RPCCore", "WireMessages", "MarvelDomain", nioCore, logging],
            path: "Tests/LoadTestServer"
        ),
        tests("LoadTests", ["Load", "LoadTestServer", "WireMessages", "MarvelDomain", "RPCCore", nioCore]),
        tests("TerminalUITests", ["TerminalUI", "MarvelDomain"]),
        tests(
            "BrowseTests",
            ["Browse", "TerminalUI", "MarvelClient", "MarvelDomain", "RPCCore", "TestClocks"],
            exclude: ["View/Golden"]
        ),
        tests(
            "ProgramSupportTests",
            ["ProgramSupport", "ChildProcesses", "MarvelDomain", "RPCCore", argumentParser, logging]
        ),
        tests("SettingsTests", ["Settings", "RPCCore"]),
        tests(
            "CLITests",
            [
                "marvel", argumentParser, "FakeChannel", "Load", "LoadTestServer", "MarvelClient", "ProgramSupport",
                "WireMessages", "MarvelDomain", "RPCCore", "Browse", "Terminal", "TerminalUI", "ChildProcesses",
                nioCore,
            ],
            exclude: ["Help.txt", "Transcripts/Transcripts.txt"]
        ),
        tests(
            "EndToEndTests",
            [
                "marvel-server", "marvel", "marvel-gateway", "MarvelClient", "RPCClient", "WireMessages", "RPCCore",
                "CatalogFiles", "Catalog", "MarvelDomain", "ChildProcesses", "TestCertificates", "TestDatabases",
                "WireClients", nioCore, nioPosix,
            ],
            exclude: ["Help", "Peers"]
        ),
        // The fuzzers, run briefly by the tests and for hours by libFuzzer (deploy/fuzz).
        library(
            "FramingDrivers",
            [
                "Framing", "RPCServer", "RPCClient", "WireMessages", "MarvelDomain", "RPCCore", logging, nioCore,
                nioEmbedded,
            ],
            path: "Tests/Fuzzers/Drivers"
        ),
        library(
            "FuzzTargets",
            [
                "FramingDrivers", "WireMessages", "Catalog", "Upstream", "MarvelService", "MarvelDomain", "RPCCore",
                "TerminalUI", "Terminal", "TestClocks", nioCore,
            ],
            path: "Tests/Fuzzers/Targets"
        ),
        tests(
            "FuzzTests",
            ["FuzzTargets", "FramingDrivers", "WireMessages", "MarvelDomain", "ChildProcesses", nioCore],
            exclude: ["Corpus"]
        ),
        // deploy/trial: breaks and loads servers while clients toggle, and checks the lists.
        library("TrialChecks", ["MarvelDomain", "ProgramSupport", "RPCCore"], path: "Tests/Trial/Checks"),
        tests("TrialTests", ["TrialChecks", "MarvelDomain", "RPCCore"]),
        program(
            "marvel-trial",
            [
                "TrialChecks", "ChildProcesses", "MarvelClient", "MarvelDomain", "Catalog", "CatalogFiles", "Framing",
                "ProgramSupport", "RPCCore", "TestDatabases", "WireMessages", argumentParser, nioCore, nioPosix,
            ],
            path: "Tests/Trial/Program"
        ),
        // deploy/simulate: the server above its sockets, clocks and files, with faults, by seeds.
        library(
            "Simulation",
            [
                "Catalog", "TrialChecks", "FavoritesEngine", "Framing", "MarvelClient", "MarvelDomain", "MarvelService",
                "RPCClient", "RPCCore", "RPCServer", "WireMessages", logging, nioCore,
            ],
            path: "Tests/Simulation/World"
        ),
        program("marvel-simulator", ["Simulation", argumentParser], path: "Tests/Simulation/Program"),
        tests("SimulationTests", ["Simulation"]),
        program(
            "marvel-bench",
            [
                "Browse", "Catalog", "ChildProcesses", "Framing", "MarvelClient", "MarvelDomain", "RPCCore",
                "TerminalUI", "TestDatabases", "WireMessages", argumentParser, nioCore,
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
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !needed.isSuperset(of: targets)
    }
}
