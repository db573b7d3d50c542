internal import Foundation

/// The expansion of a path of the command line: the file itself, or all files in a folder and its subfolders, by name.
enum InputFiles {
    static let standardInput = "/dev/stdin"

    struct File: Hashable {
        let path: String
        let byteCount: Int
    }

    /// Lists the files of a path.
    ///
    /// - Parameter path: The path of a file or a folder; `-` for standard input.
    /// - Returns: The files to read.
    /// - Throws: `CatalogFileError` if the path does not exist.
    static func of(_ path: String) throws(CatalogFileError) -> [File] {
        guard path != "-" else { return [File(path: standardInput, byteCount: 0)] }
        var file = stat()
        guard stat(path, &file) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CatalogFileError(code: .notReadable, message: "\(path) cannot be read: \(reason)")
        }
        guard file.st_mode & S_IFMT == S_IFDIR else { return [File(path: path, byteCount: Int(file.st_size))] }
        // Links to folders are not followed, because they may form a cycle.
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
