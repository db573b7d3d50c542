import ArgumentParser
import CatalogFiles
import CurlTransport
import Foundation
import MarvelAPI
import MarvelDomain
import ProgramSupport
import RPCCore
import Upstream

/// The command `marvel-server mirror --gateway URL --into FILE`.
struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Copies a whole gateway into a catalog file, or brings such a file up to date.",
        discussion: """
            It can be stopped at any time, and resumes when it is run again. A file that came from the same gateway is \
            updated with what changed since.

            The keys come from the environment, as those of a server do: MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or the \
            file of mode 0600 that MARVEL_PRIVATE_KEY_FILE names.

            The exit status is 0 when the file is finished, 72 when no more calls may be made (--no-wait), 73 when the \
            gateway refuses the keys, 78 when it does not answer, 79 when it sends fewer characters than it claims to have (the \
            file is as it was then), 130 or 143 after SIGINT or SIGTERM, and else 1.
            """
    )

    /// The limits of one call: Marvel's own gateway was slow with pages of 100, and a page has up to a megabyte.
    private static let limits = HTTPResponseLimits(
        totalTimeout: .seconds(60),
        lowSpeedTime: .seconds(30),
        maximumBodyByteCount: 16 << 20
    )

    @OptionGroup var options: MirrorOptions

    func run() async throws {
        let stop = MirrorStop()
        // The first signal stops the mirror after the current page. After the second, only that page is lost.
        let interrupts = Interrupts(onFirst: { _ = stop.request() })
        let display = MirrorDisplay(options)
        do {
            let plan = try await mirror(stop, display)
            display.finished(plan)
        } catch let error as ExitCode {
            throw error
        } catch {
            display.failed(error)
            throw interrupts.status.map { ExitCode($0) } ?? MirrorCommand.exitCode(error)
        }
    }

    private func mirror(_ stop: MirrorStop, _ display: MirrorDisplay) async throws -> MirrorPlan {
        guard let keys = try MarvelKeys.pair(environment: ProcessInfo.processInfo.environment) else {
            throw StartupError(
                .configuration,
                "a gateway wants keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
            )
        }
        let transport = try CurlTransport()
        let clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        let start = Timestamp(seconds: clock.now().sinceEpoch.components.seconds)
        let result: Result<MirrorPlan, any Error>
        do {
            let cache = try openCache(display)
            let file = try MirrorFile(options.order, at: start)
            let ledger = try MirrorLedger(file, cache: cache) { display.say($0) }
            let budget = await ledger.budget(callsPerDay: options.callsPerDay, at: clock.now())
            let mirror = Mirror(
                options.order,
                file: file,
                ledger: ledger,
                client: MarvelAPIClient(
                    gateway: options.gateway,
                    keys: keys,
                    transport: transport,
                    limits: MirrorCommand.limits
                ) { "\(Int(Date().timeIntervalSince1970))" },
                caller: UpstreamCaller(gate: UpstreamGate(budget: budget), ledger: ledger, clock: clock),
                pictures: PictureClient(
                    hosts: PictureHosts(of: options.gateway, further: options.imageHost),
                    transport: transport
                ),
                clock: clock,
                stop: stop
            ) { [callsPerDay = options.callsPerDay] event in
                display.show(event, callsLeft: ledger.callsLeft(of: callsPerDay, at: clock.now()))
            }
            result = await Result { try await mirror.run() }
            await cache?.close()
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        return try result.get()
    }

    /// Opens the cache file of a server, to count calls in it.
    private func openCache(_ display: MirrorDisplay) throws -> CacheFile? {
        guard let path = options.cache else { return nil }
        // Only the server decides how much the file keeps, so nothing is evicted here.
        var limits = CacheFile.Limits()
        (limits.answerByteCount, limits.pictureByteCount) = (.max, .max)
        let cache = CacheFile(path: path, gateway: options.gateway.base, limits: limits) { display.say($0) }
        guard cache.isOpen else {
            throw MirrorError(
                .refused,
                "calls cannot be counted in \(path): stop the server, or mirror without --cache"
            )
        }
        return cache
    }

    private static func exitCode(_ error: any Error) -> ExitCode {
        switch (error as? MirrorError)?.code {
        case .budgetSpent: ExitCode(64 + Int32(StatusCode.resourceExhausted.rawValue))
        case .credentials: ExitCode(64 + Int32(StatusCode.failedPrecondition.rawValue))
        case .gateway: ExitCode(64 + Int32(StatusCode.unavailable.rawValue))
        case .incomplete: ExitCode(64 + Int32(StatusCode.dataLoss.rawValue))
        case .refused, .stopped, nil: .failure
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
