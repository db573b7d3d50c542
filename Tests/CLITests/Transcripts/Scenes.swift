import FakeChannel
import MarvelClient
import MarvelDomain
import NIOCore
import WireMessages

extension Scene {
    static let all = searches + characters + edits + favorites + lists + watches + pictures + servers

    private static let searches = [
        Scene(
            "A search",
            ["SearchCharacters": [.message(firstPage), .message(lastPage)]],
            "search spider",
            "search spider > rows",
            "search spider > rows 2> notes",
            "search spider --quiet",
            "search spider --quiet > rows",
            "search spider --color always",
            "search spider --json > messages",
            "search --match substring --pages 2 --page-size 5 --skip 7 --page-token t --list mine iron man -q > rows",
            "search spider --quiet --timeout 250ms > rows"
        ),
        Scene(
            "A search with more pages",
            ["SearchCharacters": [.message(firstPage)]],
            "search spider --pages 1 > rows",
            "search spider --pages 1 > rows 2> notes"
        ),
        nothing("No name begins so", .builtIn),
        nothing("No name begins so at a source that has no words", .gateway),
        Scene(
            "No name is similar",
            [
                "SearchCharacters": [.message(page([]))],
                "SuggestNames": [.failure(RPCError(.unavailable, "away", origin: .peer))],
            ],
            "search zz --no-retry > rows"
        ),
        Scene(
            "Results that are 3 hours old",
            ["SearchCharacters": [.message(page([wide], source: .cache, age: .seconds(3 * 3_600)))]],
            "search spider"
        ),
        Scene(
            "A failure after the first page",
            ["SearchCharacters": [.message(firstPage), .failure(away)]],
            "search spider > rows",
            "search spider > rows 2> notes"
        ),
        suggestions("Suggestions", ["Spider-Man", "Spider-Woman"], [.prefix, .wordPrefix], "spider man --limit 5"),
        suggestions("Corrections", ["Spider-Man", "Spider-Woman"], [.fuzzy, .fuzzy]),
        suggestions("Nothing to suggest", [], []),
        suggestions("A name with control characters", ["\u{1B}]0;owned\u{7}Evil"], [.prefix]),
    ]

    private static let away = RPCError(.unavailable, "the Marvel API does not answer", origin: .peer)

    private static func page(
        _ characters: [MarvelCharacter],
        total: Int32? = nil,
        source: Freshness.Source = .builtIn,
        age: Duration = .zero
    ) -> SearchCharactersResponse {
        SearchCharactersResponse(
            characters: characters,
            total: total ?? Int32(characters.count),
            attribution: attribution,
            freshness: Freshness(source: source, age: age, isStale: age > .zero)
        )
    }

    private static func nothing(_ title: String, _ source: Freshness.Source) -> Scene {
        let names = SuggestNamesResponse(names: ["Hulk", "She-Hulk"], attribution: attribution)
        return Scene(
            title,
            ["SearchCharacters": [.message(page([], source: source))], "SuggestNames": [.message(names)]],
            "search the hulkk",
            "search the hulkk > rows 2> notes",
            "search the hulkk --quiet",
            "search the hulkk --json",
            "search the hulkk --match word"
        )
    }

    private static func suggestions(
        _ title: String,
        _ names: [String],
        _ matches: [MatchValue],
        _ arguments: String = "spiderv"
    ) -> Scene {
        let answer = SuggestNamesResponse(names: names, attribution: attribution, matches: matches)
        return Scene(
            title,
            ["SuggestNames": [.message(answer)]],
            "suggest \(arguments)",
            "suggest \(arguments) --quiet",
            "suggest \(arguments) > rows",
            "suggest \(arguments) > rows 2> notes",
            "suggest \(arguments) --json > messages"
        )
    }
}

extension Scene {
    private static let characters = [
        show(
            "A character",
            GetCharacterResponse(
                character: peter,
                isFavorite: true,
                attribution: attribution,
                freshness: Freshness(source: .gateway, age: .milliseconds(1_500))
            ),
            "show 1009610 --list mine",
            "show 1009610 > rows",
            "show 1009610 --json > messages"
        ),
        show("Counts that a source does not have", character: MarvelCharacter(id: 5, name: "Spider-dok")),
        show("Counts of 0", character: MarvelCharacter(id: 5, name: "Spider-Boy", eventCount: 1)),
        show("An edited character", GetCharacterResponse(character: ham, editRevision: 12), "show 5"),
        show(
            "A character with control characters",
            GetCharacterResponse(
                character: MarvelCharacter(id: 5, name: "\u{1B}]0;owned\u{7}Evil", description: "a\nb\u{9B}31mc"),
                attribution: "x\u{1B}[2Jy"
            ),
            "show 5",
            "show 5 --json"
        ),
    ]

    private static func show(_ title: String, _ answer: GetCharacterResponse, _ lines: String...) -> Scene {
        Scene(title, ["GetCharacter": [.message(answer)]], lines)
    }

    private static func show(_ title: String, character: MarvelCharacter) -> Scene {
        show(title, GetCharacterResponse(character: character), "show 5", "show 5 > rows")
    }

    private static let edits = [
        Scene(
            "A new character",
            [
                "CreateCharacter": [
                    .message(CreateCharacterResponse(character: peter, editRevision: 3, attribution: attribution))
                ]
            ],
            "create --name Nova --description Bright --comics 1 --series 2 --stories 3 --events 4 --id 77"
                + " --url wiki=https://w/?a=b --url detail=http://d",
            "create --name x --json > messages"
        ),
        Scene(
            "An edit",
            [
                "UpdateCharacter": [
                    .message(UpdateCharacterResponse(character: peter, editRevision: 4, attribution: attribution))
                ]
            ],
            "edit 1009610 --description Green --events 0 --revision 3",
            "edit 1009610 --remove-urls --remove-picture > rows 2> notes",
            "edit 1 --name x --json > messages"
        ),
        Scene(
            "An edit with an unknown outcome",
            ["UpdateCharacter": [.failure(RPCError(.deadlineExceeded, "too late"))]],
            "edit 5 --name x"
        ),
    ]
}

extension Scene {
    private static let favorites = [
        toggle("A favorite that was saved", isFavorite: true, "--save --list x"),
        toggle("A favorite that was removed", isFavorite: false, "--remove"),
        Scene(
            "A favorite that evicts others",
            [
                "ToggleFavorite": [toggled(true, evicted: [savedHam, savedPeter])],
                "GetCharacter": [.message(GetCharacterResponse(character: peter))],
            ],
            "toggle 1009610",
            "toggle 1009610 --json > messages"
        ),
        Scene(
            "A favorite without a known name",
            ["ToggleFavorite": [toggled(false)], "GetCharacter": [.failure(RPCError(.unavailable, "no catalog"))]],
            "toggle 1009610"
        ),
        Scene(
            "A favorite with an unknown outcome",
            ["ToggleFavorite": [.failure(RPCError(.deadlineExceeded, "too late"))]],
            "toggle 1009610"
        ),
        Scene(
            "Favorites",
            ["ListFavorites": [.message(list([savedHam, savedPeter]))]],
            "favorites --list mine",
            "favorites > rows",
            "favorites > rows 2> notes",
            "favorites --quiet > rows",
            "favorites --json > messages"
        ),
        Scene(
            "Favorites that are 12 s old",
            ["ListFavorites": [.message(list([savedHam], age: .milliseconds(12_400)))]],
            "favorites",
            "favorites --json > messages"
        ),
        Scene("No favorites", ["ListFavorites": [.message(list([]))]], "favorites", "favorites > rows 2> notes"),
        Scene(
            "A refusal",
            [
                "ListFavorites": [
                    .failure(
                        RPCError(
                            .resourceExhausted,
                            "too many calls",
                            details: [
                                .errorInfo(
                                    ErrorInfo(
                                        // A reason that this client does not know.
                                        reason: ErrorReason(rawValue: "RATE_LIMIT"),
                                        metadata: ["rate": "5", "burst": "9"]
                                    )
                                ),
                                .retryInfo(.milliseconds(250)),
                                .badRequest([FieldViolation(field: "list", description: "a \"name\"")]),
                                .quotaFailure([QuotaViolation(subject: "you", description: "too fast")]),
                                .other(typeURL: "type.example/x", value: [0xFB, 0xEF, 0xFF, 0x01]),
                            ],
                            origin: .peer
                        )
                    )
                ]
            ],
            "favorites",
            "favorites --json"
        ),
    ]

    private static func toggled(_ isFavorite: Bool, evicted: [Favorite] = []) -> FakeServer.Answer {
        .message(ToggleFavoriteResponse(isFavorite: isFavorite, revision: 6, evicted: evicted, place: "here"))
    }

    private static func toggle(_ title: String, isFavorite: Bool, _ wish: String) -> Scene {
        let character = GetCharacterResponse(character: peter, isFavorite: isFavorite, attribution: attribution)
        return Scene(
            title,
            ["ToggleFavorite": [toggled(isFavorite)], "GetCharacter": [.message(character)]],
            "toggle 1009610",
            "toggle 1009610 \(wish)",
            "toggle 1009610 > rows 2> notes",
            "toggle 1009610 --quiet"
        )
    }

    private static func list(_ favorites: [Favorite], age: Duration? = nil) -> ListFavoritesResponse {
        ListFavoritesResponse(
            favorites: favorites,
            revision: 7,
            capacity: 5,
            attribution: attribution,
            place: "here",
            age: age
        )
    }

    private static let lists = [
        Scene(
            "Lists",
            [
                "ListLists": [
                    .message(
                        ListListsResponse(lists: [
                            NamedList(name: "default", revision: 12, favoriteCount: 5),
                            NamedList(name: "team", revision: 1),
                        ])
                    )
                ]
            ],
            "lists",
            "lists te > rows",
            "lists --json > messages"
        ),
        Scene(
            "No lists",
            ["ListLists": [.message(ListListsResponse())]],
            "lists",
            "lists te",
            "lists > rows 2> notes"
        ),
        Scene("A list whose deletion nobody confirms", [:], "delete-list team"),
        deletion("A list that is deleted", [savedHam, savedPeter]),
        deletion("A list without favorites that is deleted", []),
        deletion(
            "A long list that is deleted",
            (1...7).map { number in
                Favorite(character: MarvelCharacter(id: number, name: "N\(number)"), savedAt: Timestamp(seconds: 1))
            }
        ),
        deletion("A list that does not exist", [], existed: false),
    ]

    private static func deletion(_ title: String, _ favorites: [Favorite], existed: Bool = true) -> Scene {
        let deletion = DeleteListResponse(revision: 8, place: "here", existed: existed)
        return Scene(
            title,
            ["ListFavorites": [.message(list(favorites))], "DeleteList": [.message(deletion)]],
            "delete-list team --yes",
            "delete-list team -y --json > messages"
        )
    }
}

extension Scene {
    private static let watches = [
        Scene(
            "A watch",
            ["WatchFavorites": events],
            "watch --list mine --changes 2",
            "watch --changes 2 > rows",
            "watch --changes 2 > rows 2> notes",
            "watch --changes 2 --json > messages"
        ),
        Scene(
            "A watch of a list that is deleted",
            [
                "WatchFavorites": [
                    .message(
                        WatchFavoritesResponse(
                            .changed(FavoritesChange(revision: 1, cleared: [hulk], isDeletion: true))
                        )
                    )
                ]
            ],
            "watch --changes 1",
            "watch --changes 1 > rows",
            "watch --changes 1 --json > messages"
        ),
        Scene(
            "A watch after a revision whose changes are gone",
            ["WatchFavorites": [refusal(.revisionCompacted)], "WatchFavorites:0": events],
            "watch --from-revision 4 --changes 1 > rows 2> notes"
        ),
        Scene(
            "A watch after a revision that the list has not reached",
            ["WatchFavorites": [refusal(.revisionAhead)], "WatchFavorites:0": events],
            "watch --from-revision 4 --changes 1 > rows 2> notes"
        ),
        Scene(
            "A watch in a new history",
            [
                "WatchFavorites": [
                    .message(
                        WatchFavoritesResponse(
                            .snapshot(
                                FavoritesList(favorites: [thor], revision: 1 << 32, capacity: 1),
                                reset: .historyChanged
                            )
                        )
                    ), .failure(RPCError(.notFound, "")),
                ]
            ],
            "watch --from p6",
            // A place is a text of the server's, which may look like an option.
            "watch --from -ZrQAAAAAAAAAAABX0y7bQJ3oVbsL0m8 --list mine --json > messages",
            "watch --from --Q9AAAAAAAAAAAABX0y7bQJ3oVbsL0m8 --json > messages"
        ),
        Scene(
            "A watch of a list without favorites in a new history",
            [
                "WatchFavorites": [
                    .message(
                        WatchFavoritesResponse(
                            .snapshot(FavoritesList(favorites: [], revision: 7, capacity: 1), reset: .historyChanged)
                        )
                    ), .failure(RPCError(.notFound, "")),
                ]
            ],
            "watch --from p6 > rows"
        ),
        lostWatch("A watch without a connection", RPCError(.unavailable, "refused"), "watch --changes 3"),
        lostWatch("A watch without a connection, verbose", RPCError(.unavailable, "refused"), "watch -v --changes 3"),
        // The server is there, and has nothing to read the list from.
        lostWatch(
            "A watch without a database",
            RPCError(.unavailable, reason: .storeUnavailable, "no"),
            "watch --changes 3"
        ),
    ]

    private static func saved(_ id: Int64, _ name: String) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: name), savedAt: Timestamp(seconds: 1_767_603_072))
    }

    private static let hulk = saved(1_009_351, "Hulk")
    private static let thor = saved(1_009_664, "Thor")
    private static let events: [FakeServer.Answer] = [
        .message(
            WatchFavoritesResponse(
                .snapshot(FavoritesList(favorites: [thor], revision: 6, capacity: 1)),
                attribution: attribution,
                place: "p6"
            )
        ),
        .message(WatchFavoritesResponse(.changed(FavoritesChange(revision: 7, saved: hulk, evicted: [thor])))),
        .message(WatchFavoritesResponse(.progress(revision: 7), place: "p7")),
        .message(WatchFavoritesResponse(.changed(FavoritesChange(revision: 8, removed: hulk)))),
    ]

    private static func refusal(_ reason: ErrorReason) -> FakeServer.Answer {
        .failure(RPCError(.outOfRange, reason: reason, "no", origin: .peer))
    }

    private static func lostWatch(_ title: String, _ error: RPCError, _ line: String) -> Scene {
        Scene(title, ["WatchFavorites": events + [.failure(error)]], line)
    }
}

extension Scene {
    private static let pictures = [
        Scene(
            "A picture",
            ["GetThumbnail": [.message(picture)]],
            "thumbnail 1009610 --output /dev/null --variant standard_large",
            "thumbnail 1009610 --output /dev/null --json > messages",
            "thumbnail 1009610 --output -",
            "thumbnail 1009610 --output - > picture",
            "thumbnail 1009610 --output /dev/null/x"
        ),
        Scene(
            "The placeholder of a picture, 10 minutes old",
            ["GetThumbnail": [.message(placeholder)]],
            "thumbnail 1009610 --output /dev/null"
        ),
    ]

    private static let picture = GetThumbnailResponse(
        data: ByteBuffer(string: "GIF89a"),
        mediaType: "image/gif",
        variant: "standard_large",
        freshness: Freshness(source: .cache),
        attribution: attribution
    )
    private static var placeholder: GetThumbnailResponse {
        var placeholder = picture
        placeholder.isPlaceholder = true
        placeholder.freshness = Freshness(source: .cache, age: .seconds(600), isStale: true)
        return placeholder
    }

    private static let servers = [
        Scene(
            "A server that serves",
            ["Check": [health(.serving)], "GetCatalogInfo": [catalog]],
            "health",
            "health -v"
        ),
        Scene(
            "A server that is not serving",
            ["Check": [health(.notServing)], "GetCatalogInfo": [catalog]],
            "health",
            "health --verbose --json > messages"
        ),
        Scene("A server without a status", ["Check": [health(.unknown)]], "health"),
        // An older server has a health too.
        Scene("A server that does not describe itself", ["Check": [health(.serving)]], "health -v"),
        Scene("No server", ["Check": [.failure(RPCError(.unavailable, "nobody"))]], "health"),
    ]

    private static func health(_ status: HealthCheckResponse.ServingStatus) -> FakeServer.Answer {
        .message(HealthCheckResponse(status: status))
    }

    private static let catalog = FakeServer.Answer.message(
        GetCatalogInfoResponse(
            kind: .file,
            characterCount: 1_479,
            matches: [.prefix, .wordPrefix],
            attribution: attribution,
            loadedAt: Timestamp(seconds: 1_767_603_072, nanoseconds: 5_000_000),
            serverVersion: "1.2.3",
            history: "0123456789abcdef"
        )
    )
}
