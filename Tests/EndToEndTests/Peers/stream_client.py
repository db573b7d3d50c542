"""A client of the framed wire in Python: its own framing, and messages from protobuf's own Python package.

Usage: stream_client.py GENERATED HOST PORT, where GENERATED holds what `protoc --python_out` made of `Protos`.
It reads a stream of three pages and prints what each held.
"""

import socket
import struct
import sys

sys.path.insert(0, sys.argv[1])
from marvel.rpc.v1 import ttrpc_pb2  # noqa: E402
from marvel.v1 import marvel_pb2  # noqa: E402

HEADER = struct.Struct(">IIBB")
REQUEST, RESPONSE, DATA = 1, 2, 3
REMOTE_CLOSED, NO_DATA = 1, 4


def receive(connection, count):
    parts = b""
    while len(parts) < count:
        part = connection.recv(count - len(parts))
        if not part:
            raise SystemExit("the server closed the connection")
        parts += part
    return parts


search = marvel_pb2.SearchCharactersRequest(query="spider", page_size=4, max_pages=3)
request = ttrpc_pb2.Request(
    service="marvel.v1.MarvelService",
    method="SearchCharacters",
    payload=search.SerializeToString(),
).SerializeToString()

with socket.create_connection((sys.argv[2], int(sys.argv[3])), timeout=10) as connection:
    connection.sendall(HEADER.pack(len(request), 1, REQUEST, REMOTE_CLOSED) + request)
    while True:
        length, stream, kind, flags = HEADER.unpack(receive(connection, HEADER.size))
        data = receive(connection, length)
        assert stream == 1, stream
        if kind == RESPONSE:
            raise SystemExit(f"status: {ttrpc_pb2.Response.FromString(data).status}")
        assert kind == DATA, kind
        if not flags & NO_DATA:
            page = marvel_pb2.SearchCharactersResponse.FromString(data)
            print("page", len(page.characters), page.total, bool(page.next_page_token))
            for character in page.characters:
                print(character.id, character.name)
        if flags & REMOTE_CLOSED:
            print("end")
            break
