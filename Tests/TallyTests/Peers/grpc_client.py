"""A client of the tally in Python: grpcio, and messages in protobuf's encoding by hand.

Usage: grpc_client.py HOST:PORT
"""

import sys

import grpc


def varint(value):
    value &= (1 << 64) - 1
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes(parts + [value])


def message(**fields):
    """Field 1 is a text or a number, field 2 a number."""
    encoded = b""
    for number, value in enumerate(fields.values(), 1):
        if isinstance(value, str):
            encoded += varint(number << 3 | 2) + varint(len(value.encode())) + value.encode()
        else:
            encoded += varint(number << 3) + varint(value)
    return encoded


def read(encoded):
    """Returns the values of the fields of a Count: its name, its value, and its number."""
    def number(position):
        value = shift = 0
        while True:
            byte = encoded[position]
            position += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value, position
            shift += 7

    values, position = {1: "", 2: 0, 3: 0}, 0
    while position < len(encoded):
        key, position = number(position)
        value, position = number(position)
        if key & 7 == 2:
            values[key >> 3] = encoded[position:position + value].decode()
            position += value
        else:
            values[key >> 3] = value
    return values[1], values[2], values[3]


with grpc.insecure_channel(sys.argv[1]) as channel:
    add = channel.unary_unary("/tally.v1.Tally/Add", response_deserializer=read)
    listed = channel.unary_stream("/tally.v1.Tally/List", response_deserializer=read)
    watch = channel.unary_stream("/tally.v1.Tally/Watch", response_deserializer=read)

    for number in range(1000):
        add(message(name=f"python-{number:03}", amount=number), timeout=20)
    counts = list(listed(message(prefix="python-"), timeout=20))
    print("list", len(counts), counts[0], counts[-1])

    changes = watch(message(after=1000), timeout=20)
    print("added", add(message(name="python-007", amount=3), timeout=20))
    print("change", next(changes))
    print("added", add(message(name="python", amount=1), timeout=20))
    print("change", next(changes))
    changes.cancel()

    for request in (message(after=0), message(after=5000)):
        try:
            print("change", next(watch(request, timeout=20)))
        except grpc.RpcError as error:
            print("old", error.code().name)
    try:
        add(message(name="", amount=1), timeout=20)
    except grpc.RpcError as error:
        print("no name", error.code().name, error.details())
