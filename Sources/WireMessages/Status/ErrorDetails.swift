internal import CMarvelMessages
internal import RPCCore

/// The message `google.rpc.BadRequest`.
struct BadRequest {
    let violations: [FieldViolation]
}

/// The message `google.rpc.RetryInfo`.
struct RetryInfo {
    let delay: Duration
}

/// The message `google.rpc.QuotaFailure`.
struct QuotaFailure {
    let violations: [QuotaViolation]
}

extension BadRequest: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__BadRequest> { marvel__rpc__v1__bad_request__init }

    init(copying message: Marvel__Rpc__V1__BadRequest) throws(WireError) {
        self.violations = try [FieldViolation](
            copying: message.field_violations,
            count: message.n_field_violations,
            field: "field_violations"
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__BadRequest, in arena: inout EncodingArena) {
        message.n_field_violations = violations.count
        message.field_violations = arena.messages(violations)
    }
}

extension FieldViolation: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__BadRequest__FieldViolation> {
        marvel__rpc__v1__bad_request__field_violation__init
    }

    init(copying message: Marvel__Rpc__V1__BadRequest__FieldViolation) throws(WireError) {
        self.init(field: try message.field.text("field"), description: try message.description.text("description"))
    }

    func fill(_ message: inout Marvel__Rpc__V1__BadRequest__FieldViolation, in arena: inout EncodingArena) {
        message.field = arena.text(field)
        message.description = arena.text(description)
    }
}

extension RetryInfo: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__RetryInfo> { marvel__rpc__v1__retry_info__init }

    init(copying message: Marvel__Rpc__V1__RetryInfo) throws(WireError) {
        self.delay = try Duration(copying: message.retry_delay, field: "retry_delay") ?? .zero
    }

    func fill(_ message: inout Marvel__Rpc__V1__RetryInfo, in arena: inout EncodingArena) {
        message.retry_delay = arena.message(delay)
    }
}

extension QuotaFailure: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__QuotaFailure> { marvel__rpc__v1__quota_failure__init }

    init(copying message: Marvel__Rpc__V1__QuotaFailure) throws(WireError) {
        self.violations = try [QuotaViolation](
            copying: message.violations,
            count: message.n_violations,
            field: "violations"
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__QuotaFailure, in arena: inout EncodingArena) {
        message.n_violations = violations.count
        message.violations = arena.messages(violations)
    }
}

extension QuotaViolation: ProtobufCoded {
    static var initialize: CInitializer<Marvel__Rpc__V1__QuotaFailure__Violation> {
        marvel__rpc__v1__quota_failure__violation__init
    }

    init(copying message: Marvel__Rpc__V1__QuotaFailure__Violation) throws(WireError) {
        self.init(
            subject: try message.subject.text("subject"),
            description: try message.description.text("description")
        )
    }

    func fill(_ message: inout Marvel__Rpc__V1__QuotaFailure__Violation, in arena: inout EncodingArena) {
        message.subject = arena.text(subject)
        message.description = arena.text(description)
    }
}
