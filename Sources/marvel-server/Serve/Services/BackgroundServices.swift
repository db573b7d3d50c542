import CatalogFiles
import Logging
import MarvelService
import RPCTransport
import ServiceLifecycle
import TransportSecurity

/// A service that watches for edits by other programs.
struct CurationService: Service {
    let curation: Curation

    func run() async throws {
        await cancelWhenGracefulShutdown { [curation] in await curation.run() }
    }
}

/// A service that runs the keeper of pictures.
struct PictureKeeperService: Service {
    let keeper: PictureKeeper

    func run() async throws {
        await cancelWhenGracefulShutdown { [keeper] in await keeper.run() }
    }
}

/// A service that verifies all answers and pictures of the store once, while the server serves.
struct RecordsCheckService: Service {
    let store: any ServedStore

    func run() async throws {
        await cancelWhenGracefulShutdown { [store] in
            await store.verify()
            // The service must not return, because the service group would stop all other services then.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        }
    }
}

/// A service that checks every second whether a catalog file was replaced.
struct CatalogFileService: Service {
    let file: FollowedCatalogFile
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                // The task is cancelled when the server stops.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                switch await file.check() {
                case .unchanged: break
                case .replaced(let description):
                    logger.notice("catalog replaced", metadata: description.metadata)
                case .refused(let error):
                    logger.error("the new catalog is not served, the old one is", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}

/// A service that looks every 5 s for a new certificate.
struct CertificateService: Service {
    let tls: ServerTLS

    func run() async throws {
        await cancelWhenGracefulShutdown { [tls] in await tls.watch() }
    }
}

/// A service that runs, drains and stops the RPC server.
struct RPCServerService: Service {
    let server: RPCServer
    let health: ServiceHealth
    /// Called when the service group has started this service. The group handles signals by then.
    let onRunning: @Sendable () -> Void
    /// Called when the server begins to stop.
    let onStopping: @Sendable () -> Void

    func run() async throws {
        onRunning()
        let failure = await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            health.stopServing()
            onStopping()
            server.stop()
        }
        if let failure { throw failure }
    }
}
