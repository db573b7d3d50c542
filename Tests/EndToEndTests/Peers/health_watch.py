"""A watch of a server's health, as load balancers keep it, by gRPC's own package.

Usage: health_watch.py ADDRESS. It writes "watching" to standard error after the first answer, and prints every answer, and
the status that ends the watch.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    try:
        for answer in health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=60):
            print(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
            print("watching", file=sys.stderr, flush=True)
        print("OK")
    except grpc.RpcError as error:
        print(error.code().name)
