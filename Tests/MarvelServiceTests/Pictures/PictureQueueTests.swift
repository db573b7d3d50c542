import Catalog
import MarvelDomain
import Testing

@testable import MarvelService

@Suite struct PictureQueueTests {
    private let start = ContinuousClock.now

    private func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "C\(id)") }

    private func saved(_ id: Int64) -> FavoritesChange {
        FavoritesChange(revision: 1, saved: Favorite(character: character(id), savedAt: Timestamp(seconds: 0)))
    }

    private func removed(_ id: Int64) -> FavoritesChange {
        FavoritesChange(revision: 1, removed: Favorite(character: character(id), savedAt: Timestamp(seconds: 0)))
    }

    /// A queue that has looked at its store and found these missing.
    private func queue(missing: [Int64] = [], limits: PictureQueue.Limits = .init()) -> PictureQueue {
        var queue = PictureQueue(now: start, limits: limits)
        #expect(queue.next(at: start) == .drop(nil))
        queue.dropped()
        #expect(queue.next(at: start) == .scan(excluding: []))
        queue.scanned(missing.map(character), at: start)
        return queue
    }

    @Test func whatIsMissingAtTheStartIsFetchedAndKeptTogether() {
        var queue = queue(missing: [1, 2, 3])
        #expect(queue.next(at: start) == .fetch(character(1)))
        #expect(queue.next(at: start) == .fetch(character(2)))
        // Two at a time.
        #expect(queue.next(at: start) == .wait(until: nil))
        queue.fetched(TestPictures.picture(1), of: 1, at: start)
        #expect(queue.next(at: start) == .fetch(character(3)))
        queue.fetched(TestPictures.picture(2), of: 2, at: start + .milliseconds(50))
        let due = start + .milliseconds(100)
        #expect(queue.next(at: start) == .wait(until: due))
        let pictures = [1, 2].reduce(into: [:]) { $0[$1] = TestPictures.picture($1) } as [Int64: Picture]
        #expect(queue.next(at: due) == .keep(pictures))
        queue.keeps([1, 2], at: due)
        #expect(queue.changed(saved(1), at: due) == false, "it is kept")
    }

    @Test func aSavedCharacterIsFetchedOnce() {
        var queue = queue()
        #expect(queue.next(at: start) == .wait(until: nil))
        #expect(queue.changed(saved(5), at: start) == true)
        #expect(queue.changed(saved(5), at: start) == false)
        #expect(queue.next(at: start) == .fetch(character(5)))
        queue.foundKept(5)
        #expect(queue.changed(saved(5), at: start) == false)
        #expect(queue.next(at: start) == .wait(until: nil))
    }

    @Test func aCharacterThatLeftIsLookedAtAMinuteLaterAndForgotten() {
        var queue = queue(missing: [5])
        #expect(queue.next(at: start) == .fetch(character(5)))
        queue.foundKept(5)
        #expect(queue.changed(removed(5), at: start) == true)
        let due = start + .seconds(60)
        #expect(queue.next(at: start) == .wait(until: due))
        #expect(queue.next(at: due) == .drop([5]))
        // Saved while it is being dropped: looked for, although it was kept.
        #expect(queue.changed(saved(5), at: due) == true)
        queue.dropped()
        #expect(queue.next(at: due) == .fetch(character(5)))
    }

    @Test func aSourceThatFailsIsLeftAloneForLongerAndLonger() {
        var queue = queue(missing: [1])
        var now = start
        for delay in [1, 2, 4, 8, 16] {
            #expect(queue.next(at: now) == .fetch(character(1)))
            queue.failed(1, .upstream(.timedOut), at: now)
            #expect(queue.next(at: now) == .wait(until: now + .seconds(delay)))
            now += .seconds(delay)
        }
        #expect(queue.next(at: now) == .fetch(character(1)))
        queue.failed(1, .upstream(.timedOut), at: now)
        // Given up, until another look at the store finds it.
        #expect(queue.next(at: now) == .wait(until: now + .seconds(600)))
        #expect(queue.next(at: now + .seconds(600)) == .scan(excluding: []))
    }

    /// A dead host keeps the pictures of another one from nobody.
    @Test func aHostThatFailsKeepsNoOtherFromBeingAsked() {
        func character(_ id: Int64, _ host: String) -> MarvelCharacter {
            let place = Thumbnail(path: "http://\(host)/\(id)", fileExtension: "gif")
            return MarvelCharacter(id: id, name: "C\(id)", thumbnail: place)
        }
        let (dead, well) = ((1...3).map { character($0, "dead.test") }, (4...6).map { character($0, "well.test") })
        var limits = PictureQueue.Limits()
        limits.fetching = 1
        var queue = queue(limits: limits)
        queue.scanned(dead + well, at: start)
        #expect(queue.next(at: start) == .fetch(dead[0]))
        queue.failed(1, .upstream(.unreachable("test")), at: start)
        for character in well {
            #expect(queue.next(at: start) == .fetch(character))
            queue.foundKept(character.id)
        }
        #expect(queue.next(at: start) == .wait(until: start + .seconds(1)))
        #expect(queue.next(at: start + .seconds(1)) == .fetch(dead[1]))
        queue.failed(2, .upstream(.unreachable("test")), at: start + .seconds(1))
        #expect(queue.next(at: start + .seconds(1)) == .wait(until: start + .seconds(3)), "it fails again: longer")
    }

    @Test(arguments: [
        (SourceError.quota(retryAfter: nil), 900), (.quota(retryAfter: .seconds(3_600)), 3_600),
        (.unavailable(status: 503, retryAfter: .seconds(30)), 30), (.timedOut, 1),
        (.unavailable(status: 503, retryAfter: .seconds(86_400)), 3_600), (.quota(retryAfter: .seconds(86_400)), 3_600),
    ])
    func aSourceIsLeftAloneForAsLongAsItAsks(_ failure: SourceError, _ seconds: Int) {
        var queue = queue(missing: [1])
        #expect(queue.next(at: start) == .fetch(character(1)))
        queue.failed(1, .upstream(failure), at: start)
        #expect(queue.next(at: start) == .wait(until: start + .seconds(seconds)))
    }

    @Test(arguments: [PictureError.none, .tooLarge, .hostNotAllowed, .unusable("it is empty")])
    func whatThereIsNoPictureOfIsNotAskedForAgainBeforeItIsSavedLater(_ error: PictureError) {
        var queue = queue(missing: [1, 2])
        #expect(queue.next(at: start) == .fetch(character(1)))
        queue.failed(1, error, at: start)
        #expect(queue.next(at: start) == .fetch(character(2)), "the source is not at fault")
        queue.foundKept(2)
        #expect(queue.next(at: start) == .wait(until: nil))
        #expect(queue.changed(saved(1), at: start) == false)
        #expect(queue.next(at: start) == .wait(until: nil))
        let later = start + PictureQueue.Limits().scanDelay
        #expect(queue.changed(saved(1), at: later) == true)
        #expect(queue.next(at: later) == .fetch(character(1)))
    }

    @Test func aCharacterThatGotAnotherPictureIsAskedForAtOnce() {
        var queue = queue(missing: [1])
        #expect(queue.next(at: start) == .fetch(character(1)))
        queue.failed(1, PictureError.none, at: start)
        var edited = character(1)
        edited.thumbnail = Thumbnail(path: "https://i.annihil.us/u/prod/marvel/i/mg/1", fileExtension: "jpg")
        let save = FavoritesChange(revision: 1, saved: Favorite(character: edited, savedAt: Timestamp(seconds: 1)))
        #expect(queue.changed(save, at: start) == true)
        #expect(queue.next(at: start) == .fetch(edited))
    }

    @Test func whatDoesNotFitIsFoundByAnotherLookAtTheStore() {
        var limits = PictureQueue.Limits()
        limits.waiting = 2
        var queue = queue(limits: limits)
        for id: Int64 in 1...3 { _ = queue.changed(saved(id), at: start) }
        for id: Int64 in 1...2 {
            #expect(queue.next(at: start) == .fetch(character(id)))
            queue.foundKept(id)
        }
        #expect(queue.next(at: start) == .scan(excluding: []))
    }

    @Test func aStoreThatFailsIsAskedAgainLater() {
        var queue = PictureQueue(now: start)
        #expect(queue.next(at: start) == .drop(nil))
        queue.dropped()
        #expect(queue.next(at: start) == .scan(excluding: []))
        queue.scanned(nil, at: start)
        #expect(queue.next(at: start) == .wait(until: start + .seconds(600)))
    }
}
