import ArgumentParser
import CatalogFiles
import Glibc
import MarvelDomain

/// The cache file with the pictures of favorites that belong to a store.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's cache file, with the pictures of favorites. (default: the name of a store's file and .cache)",
            valueName: "file"
        )
    )
    var cache: String?

    func path(beside store: String) -> String { cache ?? PinnedPicturesCopy.path(beside: store) }

    /// Refuses a missing named file: a copy without pictures would look whole.
    func requireFile() throws {
        guard let cache, access(cache, F_OK) != 0 else { return }
        throw ValidationError("No cache file at \(cache).")
    }
}

extension PinnedPicturesCopy {
    /// Calls `body` with each pinned picture, and warns if not all can be read.
    static func readWarning(_ path: String, _ body: (KeptPicture) throws -> Void) throws {
        guard try !read(path, body) else { return }
        printError("\(path) is damaged: only the readable pictures of favorites were copied")
    }

    static func report(_ count: Int, in path: String) {
        if count > 0 { printError("the pictures of \(count) favorites are in \(path)") }
    }
}
