import MarvelDomain
import Upstream

/// The texts of a mirror's progress display.
enum MirrorText {
    /// The control codes that return to the beginning of the line and clear it.
    static let clear = "\r\u{1B}[K"

    static func bar(_ share: Double) -> String {
        let width = 24
        let filled = Int(share * Double(width))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    }

    static func beginning(_ plan: MirrorPlan, isResumed: Bool, callsLeft: Int) -> String {
        let what = plan.isRefresh ? "what changed at" : "all of"
        let verb = isResumed ? "resuming the copy of" : "copying"
        let known = plan.stored > 0 ? "; \(plan.stored) characters are there" : ""
        return "\(verb) \(what) \(plan.gateway)\(known); \(callsLeft) calls may be made now"
    }

    /// Names the list that is read, and the number of the pass over it.
    static func list(_ plan: MirrorPlan) -> String {
        let list = plan.stage == .changes ? "changed characters" : "characters"
        return plan.passNumber == 1 ? list : "\(list), pass \(plan.passNumber), because the gateway changed"
    }

    static func end(_ plan: MirrorPlan, _ file: String) -> [String] {
        var lines = [
            "\(file) has \(plan.stored) characters, \(plan.added) of them new and \(plan.changed) changed; "
                + "\(plan.answers) answers were read"
        ]
        if plan.unreadable > 0 {
            lines.append("\(plan.unreadable) entries had no id or no name, and were left out")
        }
        if let difference = plan.difference, difference != 0 {
            let total = plan.gatewayTotal ?? 0
            lines.append(
                "the gateway says that it has \(total), \(abs(difference)) \(difference > 0 ? "more" : "fewer") than were "
                    + "found: --full copies everything anew, and drops what is gone"
            )
        }
        let pictures = plan.pictures
        if pictures.looked > 0 {
            lines.append(
                "\(pictures.taken) pictures were copied, \(pictures.placeholders) of them placeholders; "
                    + "\(pictures.missing) do not exist, and \(pictures.failed) could not be fetched: the next run "
                    + "retries those"
            )
        }
        return lines
    }

    /// Formats a time: `2026-11-22 03:10:00 UTC`.
    static func time(_ moment: Moment) -> String {
        let time = CivilTime(seconds: moment.sinceEpoch.components.seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }

    /// Formats a duration: `2 days 3 h`, `4 h 10 min`, `5 min`, `12 s`.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(duration.components.seconds, 0)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
        default:
            let days = seconds / 86_400
            return "\(days) \(days == 1 ? "day" : "days") \(seconds / 3_600 % 24) h"
        }
    }
}
