"""A watch over gRPC that moves between servers of one store: grpcio, and messages from protobuf's own Python package.

Usage: moving_client.py GENERATED COUNT ADDRESS..., where GENERATED holds what `protoc --python_out` made of `Protos`.
It watches the default list at the first server. When a server ends the watch, it resumes at the next one, after the place of
its last event. It prints the revision of the snapshot, and then of each change, and ends after COUNT changes.
"""

import itertools
import sys

import grpc

sys.path.insert(0, sys.argv[1])
from marvel.v1 import marvel_pb2  # noqa: E402

WATCH = "/marvel.v1.MarvelService/WatchFavorites"
left = int(sys.argv[2])
place = ""

for address in itertools.cycle(sys.argv[3:]):
    with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        watch = channel.unary_stream(
            WATCH,
            marvel_pb2.WatchFavoritesRequest.SerializeToString,
            marvel_pb2.WatchFavoritesResponse.FromString,
        )
        try:
            for event in watch(marvel_pb2.WatchFavoritesRequest(place=place), timeout=60):
                place = event.place
                kind = event.WhichOneof("event")
                if kind != "progress":
                    print(kind, getattr(event, kind).revision, flush=True)
                left -= kind == "changed"
                if left == 0:
                    sys.exit()
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
