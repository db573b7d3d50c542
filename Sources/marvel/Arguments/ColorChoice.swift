internal import ArgumentParser

/// The value of `--color`.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case always
    case never
    case auto
}
