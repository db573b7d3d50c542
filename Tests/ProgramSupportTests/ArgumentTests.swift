import ArgumentParser
import Testing

@testable import ProgramSupport

struct ArgumentTests {
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "program",
            subcommands: [Serve.self, Check.self, Backup.self, Export.self],
            defaultSubcommand: Serve.self
        )
    }

    private struct RootWithoutDefault: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "program", subcommands: [Serve.self, Check.self])
    }

    private struct Single: ParsableCommand { static let configuration = CommandConfiguration(commandName: "single") }

    private struct Serve: ParsableCommand { static let configuration = CommandConfiguration(commandName: "serve") }
    private struct Check: ParsableCommand { static let configuration = CommandConfiguration(commandName: "check") }
    private struct Backup: ParsableCommand { static let configuration = CommandConfiguration(commandName: "backup") }
    private struct Export: ParsableCommand { static let configuration = CommandConfiguration(commandName: "export") }

    @Test(arguments: [
        (["chek"], "check"), (["chekc"], "check"), (["bakcup", "STORE"], "backup"), (["--flag", "exprot"], "export"),
        (["srve"], "serve"),
    ])
    func aMisspelledSubcommandIsRecognized(_ arguments: [String], _ meant: String) {
        #expect(UnknownSubcommand(in: arguments, of: Root.self)?.meant == meant)
    }

    @Test(arguments: [
        [], ["check", "chek"], ["--chek"], ["completely-different"], ["x"], ["--", "chek"], ["help", "chek"],
    ])
    func onlyMisspelledSubcommandsAreCorrected(_ arguments: [String]) {
        #expect(UnknownSubcommand(in: arguments, of: Root.self) == nil)
    }

    @Test(arguments: [
        (["chek"], "'chek' is not a subcommand. Did you mean 'check'?"),
        (["frobnicate"], "'frobnicate' is not a subcommand. There are serve, check."),
        (["--name", "check", "chek"], "'chek' is not a subcommand. Did you mean 'check'?"),
        (["--name", "--", "chek"], nil), (["--name", "check"], nil), (["--name", "x", "check", "chek"], nil),
        (["frobnicate", "check"], "'frobnicate' is not a subcommand. There are serve, check."), ([], nil),
    ])
    func withoutADefaultTheFirstWordIsTheSubcommand(_ arguments: [String], _ text: String?) {
        let unknown = UnknownSubcommand(in: arguments, of: RootWithoutDefault.self, optionsWithValue: ["--name"])
        #expect(unknown?.description == text)
    }

    @Test func aProgramWithoutSubcommandsExpectsNone() {
        #expect(UnknownSubcommand(in: ["chek"], of: Single.self) == nil)
    }
}
