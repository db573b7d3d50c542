import Foundation
import Testing

@testable import ProgramSupport

/// The texts of notifications, and the socket that they are sent to.
@Suite struct NotificationTests {
    @Test(arguments: [
        (ServiceNotification.ready, "READY=1"), (.status("serving\nSTOPPING=1"), "STATUS=serving STOPPING=1"),
        (.reloading(at: 12), "RELOADING=1\nMONOTONIC_USEC=12"), (.stopping, "STOPPING=1"), (.watchdog, "WATCHDOG=1"),
        (.extendTimeout(.seconds(30)), "EXTEND_TIMEOUT_USEC=30000000"),
        (.extendTimeout(.zero), "EXTEND_TIMEOUT_USEC=1"),
    ]) func aNotificationIsText(_ notification: ServiceNotification, _ text: String) {
        #expect(notification.text == text)
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
        (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "x"], nil), ([:], nil),
    ]) func theWatchdogIsForOneProcess(_ environment: [String: String], _ timeout: Duration?) {
        #expect(Watchdog.timeout(environment: environment, processID: 7) == timeout)
    }

    @Test(arguments: [
        nil, "", "/", "@", "relative", "vsock:1:2", "/" + String(repeating: "a", count: 200), "/no/such/socket",
    ]) func withoutAServiceManagerNothingIsSent(_ name: String?) {
        #expect(!NotifySocket(name).send(.ready))
    }

    @Test(arguments: [false, true]) func aSocketOfEitherKindGetsWholeMessages(_ isAbstract: Bool) throws {
        let name = (isAbstract ? "@" : NSTemporaryDirectory()) + "/notify-\(UUID())"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer {
            close(descriptor)
            unlink(name)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.utf8)
            if isAbstract { path[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
        #expect(NotifySocket(name).send(.ready, .status("serving")))
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        try #require(count > 0)
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "READY=1\nSTATUS=serving")
    }
}
