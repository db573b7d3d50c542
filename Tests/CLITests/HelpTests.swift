import ArgumentParser
import Testing

@testable import marvel

/// What `--help` prints, to the letter: a change of the command line shows in review.
struct HelpTests {
    private func expect(
        _ command: any ParsableCommand.Type,
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Marvel.helpMessage(for: command, columns: 80) == text, sourceLocation: sourceLocation)
    }

    @Test func theProgram() {
        expect(
            Marvel.self,
            """
            OVERVIEW: Search Marvel characters and keep lists of favorites, on a marvel-rpc
            server.

            The options below may stand before or after the subcommand.

            Exit status: 0 done, 1 anything else, 64 wrong usage, 64 + status code of a
            call that failed (68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 78 UNAVAILABLE), 130
            after Ctrl-C.

            USAGE: marvel [<options>] <subcommand>

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            SUBCOMMANDS:
              search                  Find characters by name, page by page.
              show                    Show one character.
              toggle                  Save a character to a list, or remove it if it is
                                      there.
              favorites               List the favorites, oldest first.
              health                  Tell whether the server takes calls.

              See 'marvel help <subcommand>' for detailed help.
            """
        )
    }

    @Test func search() {
        expect(
            SearchCommand.self,
            """
            OVERVIEW: Find characters by name, page by page.

            Favorites carry a ★. With --json each line is one page.

            USAGE: marvel search <query> [<options>]

            ARGUMENTS:
              <query>                 What to look for: 2 letters or more; case and accents
                                      do not matter.

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --match <match>         How the query is compared with names. (values:
                                      prefix, word-prefix, substring, fuzzy; default:
                                      prefix)
              --pages <n>             Stop after this many pages. (default: all)
              --page-size <n>         Characters in a page, 1 to 100. (default: 10)
              --skip <n>              Results to pass over first. (default: 0)
              --page-token <token>    Go on where an earlier search of the same query ended.
              --list <name>           The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ -
                                      (default: default)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func show() {
        expect(
            ShowCommand.self,
            """
            OVERVIEW: Show one character.

            USAGE: marvel show <id> [<options>]

            ARGUMENTS:
              <id>                    The character's number, as `marvel search` prints it.

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --list <name>           The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ -
                                      (default: default)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func toggle() {
        expect(
            ToggleCommand.self,
            """
            OVERVIEW: Save a character to a list, or remove it if it is there.

            A list that is full loses its oldest favorite, and the answer says which.

            USAGE: marvel toggle <id> [--save | --remove] [<options>]

            ARGUMENTS:
              <id>                    The character's number, as `marvel search` prints it.

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --save                  Save it, whether or not it is there; safe to repeat.
              --remove                Remove it, whether or not it is there; safe to repeat.
              --list <name>           The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ -
                                      (default: default)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func favorites() {
        expect(
            FavoritesCommand.self,
            """
            OVERVIEW: List the favorites, oldest first.

            USAGE: marvel favorites [<options>]

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --list <name>           The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ -
                                      (default: default)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func health() {
        expect(
            HealthCommand.self,
            """
            OVERVIEW: Tell whether the server takes calls.

            Exit status: 0 if it does and 1 if it does not, or if nobody answers, as
            container probes want it.

            USAGE: marvel health [<service>] [<options>]

            ARGUMENTS:
              <service>               A service's full name. (default: the server as a
                                      whole)

            GLOBAL OPTIONS:
              --server <addresses>    Servers, tried in order: host:port or unix:/path,
                                      comma between. (default: $MARVEL_SERVER, or
                                      127.0.0.1:6160)
              --json                  Print JSON, one object a line, in protobuf's names;
                                      failures too, on standard error.
              --timeout <time>        How long a call may take: 250ms, 10s, 2m. (default:
                                      10s; no limit for a search)
              --no-retry              Fail at once instead of trying again for a while, or
                                      at another server.
              --color <when>          When to color. (values: always, never, auto; default:
                                      auto)
              -q, --quiet             Print results and failures only: no progress, no
                                      hints.
              -v, --verbose           Print the code and the reason of a failure too.

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }
}
