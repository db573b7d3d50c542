public import ArgumentParser
public import RPCCore

extension ServerAddress: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
