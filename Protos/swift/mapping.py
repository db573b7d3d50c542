"""The Swift names of messages, enums and fields of the .proto files that follow no rule."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Existing:
    """A Swift type that stands for a message and is written by hand."""

    name: str
    # The module that declares it; None if that is WireMessages or Swift itself.
    module: str | None = None
    # Whether its decoding and encoding are written by hand too, because they do more than copy fields. If not, they
    # are generated: its initializer then takes the message's fields, in their order.
    has_own_coding: bool = False
    # The value that a field reads as if it is not set; such a field is always sent. None: the Swift property is optional.
    unset: str | None = None


EXISTING = {
    "google.protobuf.Any": Existing("ErrorDetail", "RPCCore", has_own_coding=True),
    "google.protobuf.Duration": Existing("Duration", has_own_coding=True),
    "google.protobuf.FieldMask": Existing("FieldMask", has_own_coding=True),
    "google.protobuf.Timestamp": Existing("Timestamp", "MarvelDomain", has_own_coding=True),
    "marvel.rpc.v1.BadRequest.FieldViolation": Existing("FieldViolation", "RPCCore"),
    "marvel.rpc.v1.ErrorInfo": Existing("ErrorInfo", "RPCCore", has_own_coding=True),
    "marvel.rpc.v1.QuotaFailure.Violation": Existing("QuotaViolation", "RPCCore"),
    "marvel.rpc.v1.Request": Existing("RequestEnvelope", has_own_coding=True),
    "marvel.rpc.v1.Response": Existing("ResponseEnvelope", has_own_coding=True),
    "marvel.rpc.v1.Status": Existing("RPCError", "RPCCore", has_own_coding=True),
    "marvel.v1.Character": Existing("MarvelCharacter", "MarvelDomain"),
    "marvel.v1.CharacterUrl": Existing("CharacterURL", "MarvelDomain"),
    "marvel.v1.Favorite": Existing("Favorite", "MarvelDomain", has_own_coding=True),
    "marvel.v1.Freshness": Existing("Freshness", has_own_coding=True, unset="Freshness()"),
    "marvel.v1.Thumbnail": Existing("Thumbnail", "MarvelDomain"),
    "marvel.v1.WatchFavoritesResponse.Change": Existing("FavoritesChange", "MarvelDomain"),
}

# Names of generated types that are not those of the .proto files.
TYPE_NAMES = {
    "marvel.rpc.v1.GoAway": "GoAwayMessage",
    "marvel.rpc.v1.Hello": "HelloMessage",
    "marvel.v1.Desired": "DesiredValue",
    "marvel.v1.Match": "MatchValue",
    "marvel.v1.Picture": "PictureUpload",
}

# Names of properties that are not the field's name in camel case.
PROPERTY_NAMES = {
    "marvel.v1.GetThumbnailResponse.placeholder": "isPlaceholder",
    "marvel.v1.WatchFavoritesResponse.Change.deleted": "isDeletion",
}
