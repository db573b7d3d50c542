internal import ArgumentParser

/// `--color`.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case always
    case never
    case auto
}
