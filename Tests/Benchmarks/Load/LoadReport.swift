/// The result of a load. Loads are processes of their own, and this is the line that they print, as JSON.
struct LoadReport: Codable {
    var calls: Int
    /// Answers and pages: a streamed call has many.
    var messages: Int
    var bytes: Int
    var seconds: Double
    /// CPU time in nanoseconds, all threads, user and system.
    var serverCPU: Double
    /// The median time of a call, in nanoseconds; 0 if the time was too short for one to end.
    var p50: Double
    var p99: Double
    var p999: Double
    /// The server's resident memory when the load began, when idle connections had joined, when the measuring began
    /// and when it ended.
    var residentBytesAtStart: Int
    var residentBytesWithIdle: Int
    var residentBytesBefore: Int
    var residentBytesAfter: Int
}
