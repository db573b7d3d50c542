internal import NIOCore

/// The name of a setting (RFC 9113, section 6.5.2).
struct HTTP2SettingName: RawRepresentable, Equatable {
    let rawValue: UInt16

    static let headerTableSize = HTTP2SettingName(rawValue: 1)
    static let enablePush = HTTP2SettingName(rawValue: 2)
    static let maximumConcurrentStreams = HTTP2SettingName(rawValue: 3)
    static let initialWindowSize = HTTP2SettingName(rawValue: 4)
    static let maximumFrameSize = HTTP2SettingName(rawValue: 5)
    static let maximumHeaderListSize = HTTP2SettingName(rawValue: 6)

    static let byteCount = 6
}

/// The settings that a server must know. It sends its own once, and never pushes. Its frames and headers are smaller
/// than any peer may forbid.
struct SettingsExchange {
    /// Whether the peer has not sent its settings yet. They are its first frame (RFC 9113, section 3.4).
    private(set) var areAwaited = true
    private var isAcknowledgementAwaited = true

    mutating func acknowledged() throws(ConnectionFault) {
        guard isAcknowledgementAwaited else { throw .protocolError("SETTINGS is acknowledged twice") }
        isAcknowledgementAwaited = false
    }

    /// Reads and checks the peer's settings. The caller ignores unknown ones.
    mutating func read(_ payload: ByteBuffer) throws(ConnectionFault) -> [(setting: HTTP2SettingName, value: UInt32)] {
        areAwaited = false
        guard payload.readableBytes.isMultiple(of: HTTP2SettingName.byteCount) else {
            throw .wrongLength("the length of SETTINGS is not a multiple of 6")
        }
        var rest = payload
        var settings: [(HTTP2SettingName, UInt32)] = []
        while let (name, value) = rest.readMultipleIntegers(as: (UInt16, UInt32).self) {
            let setting = HTTP2SettingName(rawValue: name)
            try check(setting, value)
            settings.append((setting, value))
        }
        return settings
    }

    private func check(_ setting: HTTP2SettingName, _ value: UInt32) throws(ConnectionFault) {
        switch setting {
        case .enablePush where value > 1:
            throw .protocolError("SETTINGS_ENABLE_PUSH is neither 0 nor 1")
        case .initialWindowSize where value > OutboundWindows.maximumSize:
            throw .broken(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE is larger than 2^31-1")
        case .maximumFrameSize where !(16_384...16_777_215).contains(value):
            throw .protocolError("SETTINGS_MAX_FRAME_SIZE is not one of 16384 to 16777215")
        default: break
        }
    }
}
