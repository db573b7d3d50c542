internal import Glibc

enum Logarithm {
    static func base10(_ value: Double) -> Double { log10(value) }
}
