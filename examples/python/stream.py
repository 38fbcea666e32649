# SPDX-License-Identifier: Apache-2.0
"""Verifies a stream of signatures on two simulated cores at once, while they come in."""

import pointmill


def incoming(pool: pointmill.DevicePool):
    """Signed messages; every tenth was changed on the way."""
    key = pool.generate_key()
    for number in range(40):
        message = f"message {number}".encode()
        signature = pool.sign(key.seed, message).signature
        yield pointmill.Job(key.public_key, message + b"!" * (number % 10 == 9), signature, tag=number)


if __name__ == "__main__":
    with pointmill.DevicePool(2) as pool:
        wrong = [verdict.tag for verdict in pool.verify_stream(incoming(pool)) if not verdict]
    print("not valid:", *wrong)
