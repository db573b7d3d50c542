/// The message `marvel.rpc.v1.Hello`: the sender's name and version, and its limits for the other side.
package struct HelloMessage: Sendable, Hashable {
    /// The newest version of the extensions that the sender speaks.
    package var version: UInt32
    /// The sender's software and version, for logs.
    package var software: String
    /// The messages that the receiver may send on each stream before it is granted more; 0 means no limit.
    package var initialCredit: UInt32
    /// The longest frame data, in bytes, that the sender accepts; 0 means the limit of ttrpc.
    package var maximumFrameLength: UInt32
    /// The number of streams that the sender allows to be open at once; 0 means that it names no limit.
    package var maximumStreams: UInt32

    package init(
        version: UInt32,
        software: String,
        initialCredit: UInt32 = 0,
        maximumFrameLength: UInt32 = 0,
        maximumStreams: UInt32 = 0
    ) {
        self.version = version
        self.software = software
        self.initialCredit = initialCredit
        self.maximumFrameLength = maximumFrameLength
        self.maximumStreams = maximumStreams
    }
}
