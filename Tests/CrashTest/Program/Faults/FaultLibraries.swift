import ArgumentParser

/// The libraries that are preloaded into a server to break it.
struct FaultLibraries: ParsableArguments {
    @Option(help: "A library that shifts a program's clock; --fault clock needs it.")
    var clockShift: String?

    @Option(help: "A library that makes a program's disk fail; --fault broken-disk needs it.")
    var diskFaults: String?
}
