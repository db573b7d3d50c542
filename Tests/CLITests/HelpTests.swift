import ArgumentParser
import Testing

@testable import marvel

/// The output of `--help`, to the letter: a change of the command line shows in review.
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
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              suggest                 Complete a name that is being typed, best first.
              show                    Show one character.
              thumbnail               Save the picture of a character to a file.
              toggle                  Save a character to a list, or remove it if it is
                                      there.
              favorites               List the favorites, oldest first.
              watch                   Show a list of favorites, and each change of it as it
                                      happens.
              lists                   Name the lists of favorites on the server.
              delete-list             Delete a list with all its favorites.
              browse                  Search, and keep favorites, on a screen that follows
                                      what others do.
              create                  Add a character to the catalog.
              edit                    Change a character of the catalog, for everyone.
              health                  Tell whether the server takes calls.
              load                    Test a server under load and report the results.

              See 'marvel help <subcommand>' for detailed help.
            """
        )
    }

    @Test func watch() {
        expect(
            WatchCommand.self,
            """
            OVERVIEW: Show a list of favorites, and each change of it as it happens.

            It goes on until Ctrl-C, also when the server restarts. With --json each line
            is one event.

            USAGE: marvel watch [<options>]

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --from <place>          Show what happened after this place (`place` in
                                      answers with --json), instead of the whole list.
              --from-revision <n>     Show what happened after this revision, instead of
                                      the whole list.
              --changes <n>           Stop after this many changes. (default: never)
              --list <name>           The list of favorites: 1 to 64 of A-Z a-z 0-9 . _ -
                                      (default: default)
              --version               Show the version.
              -h, --help              Show help information.

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
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
                                      prefix, word, substring, fuzzy; default: prefix)
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

    @Test func suggest() {
        expect(
            SuggestCommand.self,
            """
            OVERVIEW: Complete a name that is being typed, best first.

            First come names that begin with the query, then names with a word that begins
            with it, and if there are few, similar names.

            USAGE: marvel suggest <query> [<options>]

            ARGUMENTS:
              <query>                 What was typed so far: 1 letter or more; case and
                                      accents do not matter.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --limit <n>             Names at most, 1 to 50. (default: 10)
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
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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

    @Test func thumbnail() {
        expect(
            ThumbnailCommand.self,
            """
            OVERVIEW: Save the picture of a character to a file.

            Variants are the API's: standard_small, standard_medium, standard_large
            (140x140), standard_xlarge, standard_fantastic, standard_amazing; portrait_ and
            landscape_ ones; detail.

            USAGE: marvel thumbnail <id> --output <file> [<options>]

            ARGUMENTS:
              <id>                    The character's number, as `marvel search` prints it.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --output <file>         The file to write; `-` is standard output.
              --variant <variant>     The size of the picture. (default: the full picture)
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
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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

    @Test func create() {
        expect(
            CreateCommand.self,
            """
            OVERVIEW: Add a character to the catalog.

            For servers whose operator allows it (--allow-edits). Searches find it at once.

            USAGE: marvel create --name <text> [<options>]

            THE CHARACTER:
              --name <text>           The name, 1 to 200 letters.
              --description <text>    One paragraph, at most 5000 letters.
              --comics <n>            Comics that the character appears in.
              --series <n>            Series that the character appears in.
              --stories <n>           Stories that the character appears in.
              --events <n>            Events that the character appears in.
              --url <type=url>        A page about the character: wiki=https://... May be
                                      repeated; all of them together are what it has.
              --picture <file>        A picture of at most 1 MiB: PNG, JPEG or GIF. `-` is
                                      standard input.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --id <n>                Its number. (default: the server picks one)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func edit() {
        expect(
            EditCommand.self,
            """
            OVERVIEW: Change a character of the catalog, for everyone.

            For servers whose operator allows it (--allow-edits). Fields without an option
            stay unchanged. Each list that holds the character shows the change.

            USAGE: marvel edit <id> [<options>]

            ARGUMENTS:
              <id>                    The character's number, as `marvel search` prints it.

            THE CHARACTER:
              --name <text>           The name, 1 to 200 letters.
              --description <text>    One paragraph, at most 5000 letters.
              --comics <n>            Comics that the character appears in.
              --series <n>            Series that the character appears in.
              --stories <n>           Stories that the character appears in.
              --events <n>            Events that the character appears in.
              --url <type=url>        A page about the character: wiki=https://... May be
                                      repeated; all of them together are what it has.
              --picture <file>        A picture of at most 1 MiB: PNG, JPEG or GIF. `-` is
                                      standard input.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              --remove-urls           Take away all pages about the character.
              --remove-picture        Show the picture of the catalog's source again.
              --revision <revision>   Fail if there was an edit after this one, which
                                      `marvel show` names. (default: overwrite it)
              --version               Show the version.
              -h, --help              Show help information.

            """
        )
    }

    @Test func lists() {
        expect(
            ListsCommand.self,
            """
            OVERVIEW: Name the lists of favorites on the server.

            Lists come in the order of their names. A list exists from its first favorite
            until it is deleted.

            USAGE: marvel lists [<prefix>] [<options>]

            ARGUMENTS:
              <prefix>                Only lists whose names begin with this; case matters.
                                      (default: all)

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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

    @Test func deleteList() {
        expect(
            DeleteListCommand.self,
            """
            OVERVIEW: Delete a list with all its favorites.

            It asks first, on a terminal. A new list of the same name continues the
            revisions of the deleted one, so that watchers miss nothing.

            Exit status: 1 if there is no such list, or if the answer is no.

            USAGE: marvel delete-list <name> [--yes] [<options>]

            ARGUMENTS:
              <name>                  The list's name, as `marvel lists` prints it.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
              -y, --yes               Do not ask. Needed where nobody can be asked, as in
                                      scripts.
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

            With --verbose it describes the server and its catalog too; with --json as a
            second line.

            Exit status: 0 if it does and 1 if it does not, or if nobody answers, as
            container probes want it.

            USAGE: marvel health [<service>] [<options>]

            ARGUMENTS:
              <service>               A service's full name. (default: the server as a
                                      whole)

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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

    @Test func load() {
        expect(
            LoadCommand.self,
            """
            OVERVIEW: Test a server under load and report the results.

            Without a rate, each call starts when one before it has ended (closed model).
            With --rps or --schedule, calls start by the clock, and latencies count from
            when a call was due (open model). Failed calls are not sent again. Connections
            are dealt to the servers in turn. Ctrl-C ends the test, and the report tells
            what was measured until then.

            Exit status: 0 done, 99 a threshold failed or no rate held, 78 no server
            answered at the end, or most calls found none.

            USAGE: marvel load [<options>]

            WHAT TO CALL:
              --mix <mix>             What to call: pages (a page a call), stream (pages as
                                      a stream), walk (a whole result, page after page),
                                      toggle, favorites; or several by weight:
                                      pages=80,toggle=15,favorites=5.
              --query <text>          What to search for; several are used in turn.
                                      (default: sp)
              --query-file <file>     A file with a query on each line, used in turn; - is
                                      standard input.
              --page-size <n>         Characters in a page, 1 to 100. (default: 10)
              --pages <n>             Pages of a stream or a walk at most. (default: all)
              --lists <n>             Lists that toggles change and favorites reads:
                                      load-1, load-2… (default: 100)

            HOW MUCH:
              --connections <n>       Connections to open. (default: 10)
              --concurrency <n>       Calls in flight on each connection, at most.
                                      (default: 1; 64 with a rate)
              --duration <time>       How long to measure. (default: 10s, or as long as
                                      --schedule says)
              --total <n>             Stop after this many calls.
              --warmup <time>         Calls before, which are not counted; 0 is none.
                                      (default: 1s)
              --rps <n>               Start so many calls a second, by the clock (open
                                      model).
              --schedule <how>        How the rate goes: const (--rps), step or line (from
                                      --rps-start to --rps-end). (values: const, step, line)
              --rps-start <n>         The first rate of a schedule; of --find-limit, 1000.
              --rps-end <n>           The last rate of a schedule.
              --rps-step <n>          How much a step of a schedule adds.
              --step-duration <time>  How long a step of a schedule, or of --find-limit,
                                      lasts. (default: 5s)

            WHAT TO REPORT:
              --threshold <test>      What has to hold, or else the exit status is 99; may
                                      be repeated. p50 to p99.99, max, mean, and the same
                                      of first pages (first-page-p99), errors, rps, with <
                                      or >: 'p99<5ms', 'errors<0.1%', 'rps>1000'.
              --find-limit <test>     Find the highest rate at which this holds, by trying:
                                      'p99<5ms'; may be repeated.
              --html <file>           Write the report as a page; - is standard output.
              --csv <file>            Write the run over time; - is standard output.
              --hgrm <file>           Write the latencies' distribution for HdrHistogram's
                                      tools; - is standard output.

            GLOBAL OPTIONS:
              --server <addresses>    Servers of one store, comma between: host:port or
                                      unix:/path, or grpc://host:port for gRPC. With TLS:
                                      tls://host:port, grpcs://host:port. One is used; if
                                      it stops or dies, another. (default: $MARVEL_SERVER,
                                      or 127.0.0.1:6160)
              --cacert <file>         The authorities to trust for TLS, PEM. (default:
                                      those of the system)
              --cert <file>           The certificate to show to servers that ask for one,
                                      PEM.
              --key <file>            The key of the certificate, PEM, which others may not
                                      read.
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
