internal import MarvelDomain
package import RPCCore

extension RPCError {
    package init(undecodable error: WireError) {
        let text = error.description
        switch error {
        case .malformed(let message, let byteCount):
            let metadata = ["message": message, "bytes": "\(byteCount)"]
            self.init(.invalidArgument, reason: .requestMalformed, text, metadata: metadata)
        case .invalidText(let field):
            self.init(reason: .textInvalid, text, field: field)
        case .invalidValue(let field):
            self.init(reason: .valueInvalid, text, field: field)
        case .tooLarge(let message, let byteCount, let maximum):
            let metadata = ["message": message, "bytes": "\(byteCount)", "maximum": "\(maximum)"]
            self.init(.resourceExhausted, reason: .messageTooLarge, text, metadata: metadata)
        case .tooMuchMemory(let message, let byteCount, let budget):
            let metadata = ["message": message, "bytes": "\(byteCount)", "budget": "\(budget)"]
            self.init(.resourceExhausted, reason: .messageTooComplex, text, metadata: metadata)
        case .metadataTooLarge(let pairs, let bytes):
            let metadata = [
                "pairs": "\(pairs)", "maximumPairs": "\(Metadata.maximumPairs)",
                "bytes": "\(bytes)", "maximumBytes": "\(Metadata.maximumBytes)",
            ]
            self.init(.resourceExhausted, reason: .metadataTooLarge, text, metadata: metadata)
        case .json(let error):
            if error.field.isEmpty {
                self.init(.invalidArgument, reason: .requestMalformed, text)
            } else {
                self.init(
                    reason: error.problem == .invalidText ? .textInvalid : .valueInvalid,
                    text,
                    field: error.field
                )
            }
        }
    }

    private init(reason: ErrorReason, _ text: String, field: String) {
        let violation = FieldViolation(field: field, description: text)
        self.init(
            .invalidArgument,
            reason: reason,
            text,
            metadata: ["field": field],
            details: [.badRequest([violation])]
        )
    }
}
