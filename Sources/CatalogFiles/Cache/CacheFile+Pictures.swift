internal import GRDB
package import Upstream

extension CacheFile: CachedPictures {
    package func picture(at url: String) async -> CachedPicture? {
        guard let row = await query({ db in try CachedPicturesTable.use(url, in: db) }) else { return nil }
        if let picture = row.picture { return picture }
        // A damaged row is deleted, and its picture is fetched again.
        forgetPicture(at: url)
        return nil
    }

    package func keep(_ picture: CachedPicture, at url: String) {
        let row = CachedPictureRow(picture, url: url)
        perform { [limits] db in
            try CachedPicturesTable.insert(row, in: db)
            try CachedPicturesTable.trim(to: limits.pictureByteCount, in: db)
        }
    }

    package func confirmPicture(at url: String, _ moment: Moment) {
        perform { db in try CachedPicturesTable.confirm(url, moment.milliseconds, in: db) }
    }

    package func forgetPicture(at url: String) {
        perform { db in try CachedPicturesTable.delete(url, in: db) }
    }
}
