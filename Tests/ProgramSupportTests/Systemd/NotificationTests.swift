import Testing

@testable import ProgramSupport

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
}
