"""A client of the HTTP port in Python: grpcio, and messages from protobuf's own Python package.

Usage: grpc_client.py GENERATED ADDRESS, where GENERATED holds what `protoc --python_out` made of `Protos`.
It makes one call of each kind, prints what it got, and then many calls at once.
"""

import sys

import grpc

sys.path.insert(0, sys.argv[1])
from marvel.v1 import marvel_pb2  # noqa: E402

# The health and reflection packages have the name of gRPC's own library, so they are found below it.
grpc.__path__.append(sys.argv[1] + "/grpc")
from grpc.health.v1 import health_pb2  # noqa: E402
from grpc.reflection.v1 import reflection_pb2  # noqa: E402

SERVICE = "/marvel.v1.MarvelService/"


def unary(channel, method, request, response):
    return channel.unary_unary(SERVICE + method, request.SerializeToString, response.FromString)


def stream(channel, method, request, response):
    return channel.unary_stream(SERVICE + method, request.SerializeToString, response.FromString)


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error


with grpc.insecure_channel(sys.argv[2]) as channel:
    search = stream(channel, "SearchCharacters", marvel_pb2.SearchCharactersRequest, marvel_pb2.SearchCharactersResponse)
    toggle = unary(channel, "ToggleFavorite", marvel_pb2.ToggleFavoriteRequest, marvel_pb2.ToggleFavoriteResponse)
    favorites = unary(channel, "ListFavorites", marvel_pb2.ListFavoritesRequest, marvel_pb2.ListFavoritesResponse)
    watch = stream(channel, "WatchFavorites", marvel_pb2.WatchFavoritesRequest, marvel_pb2.WatchFavoritesResponse)

    for page in search(marvel_pb2.SearchCharactersRequest(query="spider", page_size=4, max_pages=3), timeout=20):
        print("page", len(page.characters), page.total)

    events = watch(marvel_pb2.WatchFavoritesRequest(), timeout=20)
    print("watch", next(events).WhichOneof("event"))
    print("toggle", toggle(marvel_pb2.ToggleFavoriteRequest(character_id=1009610), timeout=20).is_favorite)
    print("watch", next(events).WhichOneof("event"))
    events.cancel()
    print("list", [f.character.name for f in favorites(marvel_pb2.ListFavoritesRequest(), timeout=20).favorites])

    suggest = unary(channel, "SuggestNames", marvel_pb2.SuggestNamesRequest, marvel_pb2.SuggestNamesResponse)
    print("suggested", "Hulk" in suggest(marvel_pb2.SuggestNamesRequest(query="hu"), timeout=20).names)
    picture = unary(channel, "GetThumbnail", marvel_pb2.GetThumbnailRequest, marvel_pb2.GetThumbnailResponse)
    request = marvel_pb2.GetThumbnailRequest(id=1009351, variant="standard_large")
    print("picture", len(picture(request, timeout=20).SerializeToString()) > 1000)
    toggle(marvel_pb2.ToggleFavoriteRequest(list="team", character_id=1009351), timeout=20)
    lists = unary(channel, "ListLists", marvel_pb2.ListListsRequest, marvel_pb2.ListListsResponse)
    delete = unary(channel, "DeleteList", marvel_pb2.DeleteListRequest, marvel_pb2.DeleteListResponse)
    print("deleted", delete(marvel_pb2.DeleteListRequest(list="team"), timeout=20).existed)
    print("lists", [known.name for known in lists(marvel_pb2.ListListsRequest(), timeout=20).lists])
    create = unary(channel, "CreateCharacter", marvel_pb2.CreateCharacterRequest, marvel_pb2.CreateCharacterResponse)
    update = unary(channel, "UpdateCharacter", marvel_pb2.UpdateCharacterRequest, marvel_pb2.UpdateCharacterResponse)
    made = create(marvel_pb2.CreateCharacterRequest(character={"name": "Qwerty-Man"}), timeout=20).character
    request = marvel_pb2.UpdateCharacterRequest(character={"id": made.id, "name": "Azerty-Man"})
    print("edited", made.name, update(request, timeout=20).character.name)
    show = unary(channel, "GetCharacter", marvel_pb2.GetCharacterRequest, marvel_pb2.GetCharacterResponse)
    print("unknown", failure(lambda: show(marvel_pb2.GetCharacterRequest(id=7), timeout=20)).code().name)

    error = failure(lambda: list(search(marvel_pb2.SearchCharactersRequest(query="x"), timeout=20)))
    details = "with details" if "grpc-status-details-bin" in dict(error.trailing_metadata()) else "without details"
    print("short query", error.code().name, details)
    print("deadline", failure(lambda: list(watch(marvel_pb2.WatchFavoritesRequest(), timeout=0.1))).code().name)

    calls = [favorites.future(marvel_pb2.ListFavoritesRequest(), timeout=60) for _ in range(1000)]
    print("at once", sum(1 for call in calls if call.result().revision == 1))

    everything = marvel_pb2.SearchCharactersRequest(query="an", match=marvel_pb2.MATCH_SUBSTRING, page_size=1)
    pages = list(search(everything, timeout=60))
    print("long stream", "complete" if len(pages) == pages[0].total > 100 else (len(pages), pages[0].total))

    check = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        health_pb2.HealthCheckRequest.SerializeToString,
        health_pb2.HealthCheckResponse.FromString,
    )
    listed = channel.unary_unary(
        "/grpc.health.v1.Health/List",
        health_pb2.HealthListRequest.SerializeToString,
        health_pb2.HealthListResponse.FromString,
    )
    print("health", check(health_pb2.HealthCheckRequest(), timeout=20).status)
    print("services", len(listed(health_pb2.HealthListRequest(), timeout=20).statuses))
    reflect = channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    questions = [reflection_pb2.ServerReflectionRequest(list_services=""),
                 reflection_pb2.ServerReflectionRequest(file_containing_symbol="marvel.v1.MarvelService")]
    for answer in reflect(iter(questions), timeout=20):
        print("reflection", answer.WhichOneof("message_response"))
    compressed = favorites(marvel_pb2.ListFavoritesRequest(), timeout=20, compression=grpc.Compression.Gzip)
    print("compressed", compressed.revision)
