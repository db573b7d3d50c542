/// The files of the service that the Debian package installs.
enum InstalledService {
    /// The file of settings in its unit.
    static let settings = "/etc/marvel-server/config.yaml"
    /// The folder of its durable files.
    static let state = "/var/lib/marvel-server"
}
