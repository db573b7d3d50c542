"""Clients of the HTTP port that toggle without a pause: grpcio, and messages from protobuf's own Python package.

Usage: drain_client.py GENERATED ADDRESS, where GENERATED holds what `protoc --python_out` made of `Protos`.
Each client has a connection and a list of its own, and every toggle changes the list's revision by one. Toggles have no
request id, so one that runs twice counts twice. The clients say
on standard error when all of them have begun, and end after SIGTERM. Then the program prints every failed call, how many
toggles were acknowledged, and whether each list's revision is the number of its toggles.
"""

import signal
import sys
import threading

import grpc

sys.path.insert(0, sys.argv[1])
from marvel.v1 import marvel_pb2  # noqa: E402

SERVICE = "/marvel.v1.MarvelService/"
OPTIONS = [
    ("grpc.use_local_subchannel_pool", 1),
    # While one server has stopped and the next one has not begun, calls wait.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 50),
]
CLIENTS = 8
CALLS_AT_ONCE = 4

is_over = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: is_over.set())


class Client(threading.Thread):
    def __init__(self, number):
        super().__init__()
        self.list = f"drain-{number}"
        self.acknowledged = 0
        self.failures = []
        self.has_begun = threading.Event()
        self.revision = None

    def run(self):
        with grpc.insecure_channel(sys.argv[2], options=OPTIONS) as channel:
            toggle = channel.unary_unary(
                SERVICE + "ToggleFavorite",
                marvel_pb2.ToggleFavoriteRequest.SerializeToString,
                marvel_pb2.ToggleFavoriteResponse.FromString,
            )
            favorites = channel.unary_unary(
                SERVICE + "ListFavorites",
                marvel_pb2.ListFavoritesRequest.SerializeToString,
                marvel_pb2.ListFavoritesResponse.FromString,
            )
            while not is_over.is_set():
                requests = [
                    marvel_pb2.ToggleFavoriteRequest(list=self.list, character_id=1009610)
                    for _ in range(CALLS_AT_ONCE)
                ]
                for call in [toggle.future(request, timeout=20, wait_for_ready=True) for request in requests]:
                    try:
                        call.result()
                        self.acknowledged += 1
                    except grpc.RpcError as error:
                        self.failures.append(f"{error.code().name} {error.details()}")
                self.has_begun.set()
            request = marvel_pb2.ListFavoritesRequest(list=self.list)
            self.revision = favorites(request, timeout=20, wait_for_ready=True).revision


clients = [Client(number) for number in range(CLIENTS)]
for client in clients:
    client.start()
for client in clients:
    client.has_begun.wait()
print("begun", file=sys.stderr, flush=True)
# A signal may be delivered to a thread of grpcio. Its handler runs when this thread wakes up.
while not is_over.wait(0.1):
    pass
for client in clients:
    client.join()
for client in clients:
    for failure in client.failures:
        print("failed", failure)
print("acknowledged", sum(client.acknowledged for client in clients))
print("doubled or lost", sum(abs(client.revision - client.acknowledged) for client in clients))
