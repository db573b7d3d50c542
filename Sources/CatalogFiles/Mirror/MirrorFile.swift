internal import Foundation
internal import MarvelAPI
package import MarvelDomain
package import Upstream

/// The catalog file of a mirror. It contains the copied data and the plan, which are always changed together.
package final class MirrorFile: Sendable {
    private static let name = "mirror"

    let writer: CatalogFileWriter
    /// The plan at the time when the file was opened.
    package let plan: MirrorPlan
    package let isResumed: Bool

    /// The path of the unfinished file.
    package var partial: String { writer.partial }

    /// Resumes the unfinished file of an earlier mirror, or begins with a copy of the finished file, or with an empty
    /// file.
    ///
    /// - Parameters:
    ///   - order: The operator's settings.
    ///   - now: The current time.
    /// - Throws: `CatalogFileError`, or `MirrorError` if the files belong to another gateway or not to a mirror.
    package init(_ order: MirrorOrder, at now: Timestamp) throws {
        writer = try CatalogFileWriter(order.file, .resumable)
        do {
            if let plan = try MirrorFile.unfinishedPlan(writer, order, at: now) {
                (self.plan, isResumed) = (plan, true)
            } else {
                (plan, isResumed) = (try MirrorFile.begin(writer, order, at: now), false)
            }
        } catch {
            writer.close()
            throw error
        }
    }

    /// Stores an answer and the plan that follows from it, in one transaction.
    func take(_ page: CharacterResults, _ plan: MirrorPlan) async throws -> MirrorPlan {
        try await writer.write { batch in
            var (plan, newIDs, added, changed) = (plan, [Int64](), 0, 0)
            let (walk, stage) = (plan.walk, plan.stage)
            for character in page.characters.lazy.map(\.withinLimits) {
                if try batch.noteMet(character.id) { newIDs.append(character.id) }
                let known = try batch.character(id: character.id)
                guard known != character else { continue }
                if let known {
                    changed += 1
                    if known.thumbnail != character.thumbnail { try batch.removePictures(of: character.id) }
                } else {
                    added += 1
                }
                try batch.put(character)
            }
            plan.answered(page, newIDs: newIDs, added: added, changed: changed)
            if stage == .all, plan.stage == .done, plan.shortfall != .empty, plan.shortfall != .listChanged {
                plan.removed(try batch.removeUnmet())
            }
            if plan.walk != walk { try batch.forgetMet() }
            try MirrorFile.note(plan, batch)
            return plan
        }
    }

    /// Changes the plan of an incomplete copy, so that the next run reads all characters again.
    func restart(_ plan: MirrorPlan) async throws {
        try await writer.write { batch in
            var plan = plan
            plan.restart()
            try batch.forgetMet()
            try MirrorFile.note(plan, batch)
        }
    }

    /// Finishes the file, and gives it its name.
    func finish(_ plan: MirrorPlan, at now: Timestamp) async throws {
        try await writer.write { batch in
            try batch.forgetMet()
            try batch.removeOrigins()
            let start = Timestamp(seconds: plan.startedAt)
            try batch.add(CatalogOrigin(name: plan.gateway, attribution: plan.attribution, readAt: start))
        }
        try writer.finish(at: now, replacing: true)
    }

    /// Closes the file, to be resumed by another run.
    package func close() { writer.close() }

    // MARK: Opening

    /// Reads the plan of an unfinished file; nil if there is none, or if its data was discarded for a new copy.
    private static func unfinishedPlan(
        _ writer: CatalogFileWriter,
        _ order: MirrorOrder,
        at now: Timestamp
    ) throws -> MirrorPlan? {
        try writer.writeNow { batch -> MirrorPlan? in
            let (text, count) = (try batch.progress(name), try batch.characterCount())
            guard text != nil || count > 0 else { return nil }
            let plan = text.flatMap { try? JSONDecoder().decode(MirrorPlan.self, from: Data($0.utf8)) }
            guard !order.restarts, !(order.isFull && plan?.isRefresh == true) else {
                // The record of calls is kept, because these calls still count for the budget.
                try batch.removeAll(keepingProgress: plan?.gateway == order.gateway)
                return nil
            }
            if text == nil, let plan = refresh(order, try batch.origins(), count: count, at: now) {
                // The earlier run was stopped after finishing the file, but before renaming it.
                try note(plan, batch)
                return plan
            }
            return try checked(plan, writer.partial, order)
        }
    }

    private static func checked(
        _ plan: MirrorPlan?,
        _ partial: String,
        _ order: MirrorOrder
    ) throws(MirrorError) -> MirrorPlan {
        guard let plan, plan.isSound else {
            throw MirrorError(
                .refused,
                "\(partial) is no mirror's, or one that another version has begun: start over with --restart"
            )
        }
        guard plan.gateway == order.gateway else {
            throw MirrorError(
                .refused,
                "\(partial) is the beginning of a mirror of \(plan.gateway), not of \(order.gateway): finish that one, "
                    + "name another file, or throw it away with --restart"
            )
        }
        return plan
    }

    private static func begin(
        _ writer: CatalogFileWriter,
        _ order: MirrorOrder,
        at now: Timestamp
    ) throws -> MirrorPlan {
        do {
            guard let older = try finished(writer.target, order) else {
                let plan = MirrorPlan(copying: order.gateway, startedAt: now)
                try writer.writeNow { try note(plan, $0) }
                return plan
            }
            let description = older.description
            guard let plan = refresh(order, description.origins, count: description.characterCount, at: now) else {
                let names = description.origins.map(\.name).joined(separator: ", ")
                throw MirrorError(
                    .refused,
                    "\(writer.target) was not made from \(order.gateway) but from \(names.isEmpty ? "elsewhere" : names): "
                        + "name another file, or replace it with --full"
                )
            }
            try writer.copy(older.path) { try note(plan, $0) }
            return plan
        } catch {
            writer.discard()
            throw error
        }
    }

    /// Opens the finished file that is to be updated; nil if there is none, or if it is to be replaced.
    private static func finished(_ path: String, _ order: MirrorOrder) throws -> CatalogFileReader? {
        guard access(path, F_OK) == 0 else { return nil }
        do throws(CatalogFileError) {
            let reader = try CatalogFileReader(path)
            return order.isFull ? nil : reader
        } catch {
            guard order.isFull, error.code == .damaged || error.code == .unfinished else { throw error }
            return nil
        }
    }

    private static func refresh(
        _ order: MirrorOrder,
        _ origins: [CatalogOrigin],
        count: Int,
        at now: Timestamp
    ) -> MirrorPlan? {
        guard let origin = origins.first, origins.count == 1, origin.name == order.gateway else { return nil }
        return MirrorPlan(
            refreshing: order.gateway,
            from: origin.readAt,
            stored: count,
            attribution: origin.attribution,
            startedAt: now
        )
    }

    static func note(_ plan: MirrorPlan, _ batch: borrowing CatalogBatch) throws {
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        try batch.setProgress(name, text)
    }
}
