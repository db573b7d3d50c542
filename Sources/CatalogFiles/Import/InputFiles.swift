internal import Foundation

/// The files that a path on a command line stands for: itself, or all in a folder and in the folders in it, by name.
enum InputFiles {
    struct File: Hashable {
        let path: String
        let byteCount: Int
    }

    /// - Parameter path: Of a file or a folder; `-` is standard input.
    /// - Returns: What is to be read.
    /// - Throws: `CatalogFileError` if there is nothing of that name.
    static func of(_ path: String) throws(CatalogFileError) -> [File] {
        guard path != "-" else { return [File(path: "/dev/stdin", byteCount: 0)] }
        var file = stat()
        guard stat(path, &file) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CatalogFileError(code: .notReadable, message: "\(path) cannot be read: \(reason)")
        }
        guard file.st_mode & S_IFMT == S_IFDIR else { return [File(path: path, byteCount: Int(file.st_size))] }
        // Links to folders are not followed: they may lead back.
        guard let names = FileManager.default.enumerator(atPath: path) else { return [] }
        let files = names.compactMap { name -> File? in
            guard let name = name as? String else { return nil }
            let inner = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            guard stat(inner, &file) == 0 else { return File(path: inner, byteCount: 0) }
            return file.st_mode & S_IFMT == S_IFDIR ? nil : File(path: inner, byteCount: Int(file.st_size))
        }
        return files.sorted { $0.path < $1.path }
    }
}
