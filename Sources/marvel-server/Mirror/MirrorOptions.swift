import ArgumentParser
import CatalogFiles
import Foundation
import MarvelAPI
import MarvelDomain
import Upstream

/// The options of `marvel-server mirror`.
struct MirrorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The gateway: its http:// or https:// URL.", valueName: "url"),
        transform: MirrorOptions.gatewayURL
    )
    var gateway: GatewayURL

    @Option(help: ArgumentHelp("The catalog file to make, or to bring up to date.", valueName: "file"))
    var into: String

    @Flag(help: "Copy everything anew, and drop the characters that the gateway no longer has.")
    var full = false

    @Flag(help: "Finish the copy even if the gateway claims to have more characters than it sent.")
    var allowFewer = false

    @Flag(help: "Discard the unfinished copy of a mirror that was stopped, and begin again.")
    var restart = false

    @Option(help: "Calls in any 24 hours, those that the gateway refuses included. Pictures are no calls.")
    var callsPerDay = 3_000

    @Option(
        help: ArgumentHelp(
            "The cache file of a server, which is not running, to count calls together with it. (default: the mirror "
                + "counts its own)",
            valueName: "file"
        )
    )
    var cache: String?

    @Flag(help: "Stop, and do not wait, when no more calls may be made.")
    var noWait = false

    @Flag(help: "Copy pictures too.")
    var thumbnails = false

    @Option(
        help: ArgumentHelp(
            "The size of the pictures, one of Marvel's variants; may be repeated. (default: standard_large)",
            valueName: "variant"
        ),
        transform: MirrorOptions.imageVariant
    )
    var thumbnailVariant: [ImageVariant] = []

    @Option(
        help: ArgumentHelp(
            "A host that pictures are fetched from too: name, or name:port. May be repeated. (default: the gateway's own "
                + "host and \(PictureHosts.marvelHost))",
            valueName: "host"
        ),
        transform: ServerOptions.pictureHost
    )
    var imageHost: [PictureHost] = []

    @Flag(help: "Print nothing but the reason of a failure.")
    var quiet = false

    func validate() throws {
        guard (1...1_000_000_000).contains(callsPerDay) else {
            throw ValidationError("Calls per day are 1 to 1000000000.")
        }
    }

    var order: MirrorOrder {
        var order = MirrorOrder(gateway: gateway.base, file: into)
        order.isFull = full
        order.acceptsFewer = allowFewer
        order.restarts = restart
        order.waits = !noWait
        if thumbnails || !thumbnailVariant.isEmpty {
            order.variants = thumbnailVariant.isEmpty ? [.standardLarge] : thumbnailVariant
        }
        return order
    }

    private static func gatewayURL(_ text: String) throws -> GatewayURL {
        do {
            return try GatewayURL(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private static func imageVariant(_ text: String) throws -> ImageVariant {
        let word = text == "full" ? "" : text
        guard let variant = ImageVariant(rawValue: word) else {
            let words = ImageVariant.allCases.map { $0 == .full ? "full" : $0.rawValue }
            throw ValidationError("A variant is one of \(words.joined(separator: ", ")).")
        }
        return variant
    }
}
