import CatalogFiles
import Logging
import ServiceLifecycle

/// A service that checks every second whether a catalog file was replaced.
struct CatalogFileService: Service {
    let file: FollowedCatalogFile
    let logger: Logger
    /// Called when a new file has replaced the one that was served.
    let onReplaced: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                // The task is cancelled when the server stops.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                switch await file.check() {
                case .unchanged: break
                case .replaced(let description):
                    logger.notice("catalog replaced", metadata: description.metadata)
                    await onReplaced()
                case .refused(let error):
                    logger.error("the new catalog is not served, the old one is", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
