public import MarvelDomain
public import RPCCore
internal import WireMessages

extension MarvelClient {
    /// Describes the server and its catalog. The server answers from memory, even if its gateway cannot be reached.
    ///
    /// - Parameter timeout: The timeout of the call.
    /// - Returns: The description.
    /// - Throws: UNIMPLEMENTED (METHOD_UNKNOWN) if the server is older than this method.
    public func catalogInfo(timeout: Duration? = defaultTimeout) async throws(RPCError) -> CatalogInfo {
        CatalogInfo(try await call(MarvelServiceMethods.getCatalogInfo, GetCatalogInfoRequest(), timeout))
    }

    /// Checks whether the server, or one of its services, accepts calls.
    ///
    /// - Parameters:
    ///   - service: A service's full name, `marvel.v1.MarvelService`; empty for the whole server.
    ///   - timeout: The timeout of the call.
    /// - Returns: The status that the server reports.
    /// - Throws: NOT_FOUND if the server has no service of that name.
    public func health(
        service: String = "",
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> HealthStatus {
        try HealthStatus(await call(HealthMethods.check, HealthCheckRequest(service: service), timeout))
    }
}
