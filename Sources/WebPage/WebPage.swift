package import HTTPFraming
internal import MarvelDomain
internal import NIOCore

/// The web page, as files that are part of the program.
package enum WebPage {
    /// The files of the page, and `client.js` for the pages of others.
    package static let files = [
        file("/", "text/html", PackageResources.index_html),
        file("/page.css", "text/css", PackageResources.page_css),
        file("/app.js", "text/javascript", PackageResources.app_js),
        file("/client.js", "text/javascript", PackageResources.client_js),
        file("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
        file("/later.css", "text/css", PackageResources.later_css),
        file("/later.js", "text/javascript", PackageResources.later_js),
    ]

    private static func file(_ path: String, _ mediaType: String, _ bytes: [UInt8]) -> StaticFile {
        StaticFile(
            path: path,
            mediaType: "\(mediaType); charset=utf-8",
            bytes: ByteBuffer(bytes: bytes),
            tag: String(Digest.sha256.hexadecimal(of: bytes).prefix(16)),
            headers: [
                "cache-control": "no-cache",
                "content-security-policy": policy,
                "x-content-type-options": "nosniff",
                "referrer-policy": "no-referrer",
            ]
        )
    }

    /// Nothing comes from another host, and no other page shows this one in a frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
