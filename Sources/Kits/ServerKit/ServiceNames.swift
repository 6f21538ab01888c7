package import ServiceLifecycle

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A service that is named after its type in messages. Without a name, ServiceLifecycle describes the whole service in them, secrets included, and
    /// makes that text at each start.
    ///
    /// - Parameter endsGroup: True to shut the others down gracefully when this one ends. A service that ends before is otherwise a failure.
    package static func named(_ service: any Service, endsGroup: Bool = false) -> Self {
        Self(
            service: service, successTerminationBehavior: endsGroup ? .gracefullyShutdownGroup : .cancelGroup,
            serviceName: String(describing: type(of: service)))
    }
}
