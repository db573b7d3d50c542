import Catalog
import CatalogFiles
import CurlTransport
import Foundation
import Logging
import MarvelAPI
import RPCCore

/// A catalog file as the catalog, and what watches it and has to be closed behind it.
struct OpenedCatalogFile {
    let file: FollowedCatalogFile
    private let transport: CurlTransport

    /// - Parameters:
    ///   - path: Of the file.
    ///   - imageHosts: Where pictures may be fetched from that are not in it, beside the usual.
    ///   - transport: How to fetch them; closed with this.
    ///   - logger: Gets what the file says of itself.
    /// - Throws: `StartupError` if it cannot be served.
    init(
        _ path: String,
        imageHosts: [PictureHost],
        transport: CurlTransport,
        logger: Logger
    ) async throws(StartupError) {
        let hosts = PictureHosts(of: nil, further: imageHosts)
        let clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        let others = GatewayPictures(
            client: PictureClient(hosts: hosts, transport: transport),
            caller: UpstreamCaller(clock: clock),
            clock: clock
        )
        do {
            file = try await FollowedCatalogFile(path, otherPictures: others)
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        self.transport = transport
        logger.notice("catalog opened", metadata: file.servedDescription.metadata)
    }

    func close() async {
        await transport.shutdown()
    }
}

/// For the log.
extension CatalogDescription {
    var metadata: Logger.Metadata {
        [
            "characters": .stringConvertible(characterCount), "pictures": .stringConvertible(pictureCount),
            "attribution": .string(attribution),
        ]
    }
}
