"""A client of the HTTP port in Python without generated messages: it gets them from the server by reflection.

Usage: reflecting_client.py ADDRESS. With gRPC's packages for health, reflection and statuses, and with connectrpc, which
calls by Connect, by GET too, and by gRPC over either version of HTTP. It makes calls of each kind, and prints what it got.
"""

import sys

import grpc
from connectrpc.client import ConnectClientSync
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status
from pyqwest import HTTPVersion, SyncClient, SyncHTTPTransport

SERVICE = "marvel.v1.MarvelService"
address = sys.argv[1]


def failure(call):
    try:
        call()
    except (grpc.RpcError, ConnectError) as error:
        return error


def is_readable(method):
    options = method.GetOptions()
    return options.idempotency_level == options.NO_SIDE_EFFECTS


def by_grpc(channel, service):
    health = health_pb2_grpc.HealthStub(channel)
    print("health", health.Check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=20).status)
    print("services", len(health.List(health_pb2.HealthListRequest(), timeout=20).statuses))
    watch = health.Watch(health_pb2.HealthCheckRequest(service="no.such.Service"), timeout=20)
    print("unknown service", next(watch).status)
    watch.cancel()
    search = service.methods_by_name["SearchCharacters"]
    request = GetMessageClass(search.input_type)(query="s")
    call = channel.unary_stream(
        f"/{SERVICE}/{search.name}",
        type(request).SerializeToString,
        GetMessageClass(search.output_type).FromString,
    )
    status = rpc_status.from_call(failure(lambda: list(call(request, timeout=20))))
    print("short query", status.code, [detail.type_url for detail in status.details])


def by_connect(service, protocol, codec, version):
    def method(name):
        found = service.methods_by_name[name]
        return MethodInfo(
            name=name,
            service_name=SERVICE,
            input=GetMessageClass(found.input_type),
            output=GetMessageClass(found.output_type),
            idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS if is_readable(found) else IdempotencyLevel.UNKNOWN,
            stream_type=StreamType.SERVER_STREAM if found.server_streaming else StreamType.UNARY,
        )

    transport = SyncHTTPTransport(http_version=version)
    with transport, ConnectClientSync(
        f"http://{address}", codec=codec, protocol=protocol, timeout_ms=20_000, http_client=SyncClient(transport)
    ) as client:
        favorites, toggle, search, watch, character = map(
            method, ["ListFavorites", "ToggleFavorite", "SearchCharacters", "WatchFavorites", "GetCharacter"])
        # The names and numbers of a message that the server has described.
        saved = client.execute_unary(request=toggle.input(character_id=1009610, desired="DESIRED_SAVED"), method=toggle)
        listed = client.execute_unary(request=favorites.input(), method=favorites)
        pages = client.execute_server_stream(
            request=search.input(query="spider", page_size=4, max_pages=3), method=search)
        print("call", saved.is_favorite, [f.character.name for f in listed.favorites], [p.total for p in pages])
        if protocol == ProtocolType.CONNECT:
            listed = client.execute_unary(request=favorites.input(), method=favorites, use_get=True)
            absent = failure(
                lambda: client.execute_unary(request=character.input(id=1), method=character, use_get=True))
            print("by GET", [f.character.name for f in listed.favorites], absent.code.name,
                  [detail.type_name for detail in absent.details])
        unknown = failure(lambda: client.execute_unary(request=toggle.input(character_id=1), method=toggle))
        print("unknown character", unknown.code.name, [detail.type_name for detail in unknown.details])
        short = failure(lambda: list(client.execute_server_stream(request=search.input(query="s"), method=search)))
        print("short query", short.code.name, [detail.type_name for detail in short.details])
        late = failure(lambda: list(
            client.execute_server_stream(request=watch.input(), method=watch, timeout_ms=200)))
        print("deadline", late.code.name)


with grpc.insecure_channel(address) as channel:
    reflection = ProtoReflectionDescriptorDatabase(channel)
    print("reflected", *sorted(reflection.get_services()))
    service = DescriptorPool(reflection).FindServiceByName(SERVICE)
    print("without side effects", *[method.name for method in service.methods if is_readable(method)])
    by_grpc(channel, service)

binary, json = google_protobuf_binary_codec(), google_protobuf_json_codec(ignore_unknown_fields=False)
by_connect(service, ProtocolType.CONNECT, binary, HTTPVersion.HTTP1)
by_connect(service, ProtocolType.CONNECT, binary, HTTPVersion.HTTP2)
by_connect(service, ProtocolType.CONNECT, json, HTTPVersion.HTTP1)
by_connect(service, ProtocolType.CONNECT, json, HTTPVersion.HTTP2)
by_connect(service, ProtocolType.GRPC, binary, HTTPVersion.HTTP2)
