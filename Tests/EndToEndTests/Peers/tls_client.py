"""A client of the HTTP port over TLS in Python: grpcio, without generated messages.

Usage: tls_client.py ADDRESS AUTHORITY. It asks for the server's health with the authority, and without.
"""

import sys

import grpc

address, authority = sys.argv[1], open(sys.argv[2], "rb").read()
CHECK = "/grpc.health.v1.Health/Check"


def health(credentials):
    with grpc.secure_channel(address, credentials) as channel:
        return channel.unary_unary(CHECK)(b"", timeout=20)


# The answer is its status: field 1 with the value 1.
print("health", "SERVING" if health(grpc.ssl_channel_credentials(authority)) == b"\x08\x01" else "?")
try:
    health(grpc.ssl_channel_credentials())
except grpc.RpcError as error:
    print("unknown authority", error.code().name)
