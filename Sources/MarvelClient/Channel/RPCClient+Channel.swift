package import RPCTransport

extension RPCClient: RPCChannel {}
