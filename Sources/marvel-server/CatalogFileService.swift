import CatalogFiles
import Logging
import ServiceLifecycle

/// Lets a service group run and stop the looking at a catalog file.
struct CatalogFileService: Service {
    let file: FollowedCatalogFile
    let logger: Logger
    /// Called when another file is served.
    let onReplaced: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                // Cancelled when the server stops.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                switch await file.look() {
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
