import NIOHPACK

@testable import HTTPFraming

extension HPACKHeaders {
    /// The same headers with other values, each in the place of the old one, and those of new names behind them.
    func changed(_ changes: some Sequence<(String, String)>) -> HPACKHeaders {
        var fields = map { ($0.name, $0.value) }
        for change in changes {
            if let index = fields.firstIndex(where: { $0.0 == change.0 }) {
                fields[index] = change
            } else {
                fields.append(change)
            }
        }
        return HPACKHeaders(fields)
    }
}
